// Records sorted by one time, and counted and paged within a range of another time (§4.5 sorts by one clock and
// searches by a second). The list consists of short chunks that know the range of their search times, so most chunks
// are counted or skipped as a whole, and a page in the middle of a million costs about as much as one of a thousand.

import { firstIndex } from '../binary-search';

export type OrderedList = {
  add: (record: number) => void;
  /** To be called before either time of the record changes. */
  remove: (record: number) => void;
  /** Replaces the content by these records. */
  fill(records: readonly number[]): void;
  page(range: Range, skip: number, limit: number, newestFirst: boolean): { total: number; records: number[] };
};

/** Both ends are inside the range. */
export type Range = { from: number; to: number };

/** The sort time and the record number share the 53 bits of one number, which limits the record numbers. */
export const MAX_RECORDS = 2 ** 21;

const MAX_CHUNK_LENGTH = 512;

/** `entries` are sorted. `range` is computed when it is needed. */
type Chunk = { entries: number[]; range: Range | undefined };
type TimeOf = (record: number) => number;

export function createOrderedList(sortTimeOf: TimeOf, searchTimeOf: TimeOf): OrderedList {
  let chunks: Chunk[] = [];
  const entryOf = (record: number) => sortTimeOf(record) * MAX_RECORDS + record;
  const searchTime = (entry: number) => searchTimeOf(entry % MAX_RECORDS);

  /** Returns the position of the last chunk that begins at or before the entry, or 0. */
  function chunkFor(entry: number): number {
    const later = firstIndex(chunks.length, (index) => (chunks[index]?.entries[0] ?? 0) > entry);
    return Math.max(later - 1, 0);
  }

  function rangeOf(chunk: Chunk): Range {
    if (chunk.range) return chunk.range;
    const range = { from: Infinity, to: -Infinity };
    for (const entry of chunk.entries) {
      const time = searchTime(entry);
      range.from = Math.min(range.from, time);
      range.to = Math.max(range.to, time);
    }
    return (chunk.range = range);
  }

  /** Returns the entries of the chunk that are in the range. */
  function within(chunk: Chunk, { from, to }: Range): readonly number[] {
    const own = rangeOf(chunk);
    if (own.from >= from && own.to <= to) return chunk.entries;
    if (own.to < from || own.from > to) return [];
    return chunk.entries.filter((entry) => searchTime(entry) >= from && searchTime(entry) <= to);
  }

  return {
    add(record) {
      const entry = entryOf(record);
      const position = chunkFor(entry);
      const chunk = chunks[position];
      if (!chunk) return void chunks.push({ entries: [entry], range: undefined });
      chunk.entries.splice(positionOf(chunk.entries, entry), 0, entry);
      chunk.range = undefined;
      if (chunk.entries.length <= MAX_CHUNK_LENGTH) return;
      // The last chunk is cut at its end, so that a list that grows at its end consists of full chunks.
      const cut = position === chunks.length - 1 ? MAX_CHUNK_LENGTH - 1 : MAX_CHUNK_LENGTH / 2;
      chunks.splice(position + 1, 0, { entries: chunk.entries.splice(cut), range: undefined });
    },
    remove(record) {
      const entry = entryOf(record);
      const position = chunkFor(entry);
      const chunk = chunks[position];
      const index = chunk ? positionOf(chunk.entries, entry) : -1;
      if (!chunk || chunk.entries[index] !== entry) return;
      chunk.entries.splice(index, 1);
      chunk.range = undefined;
      if (chunk.entries.length === 0) chunks.splice(position, 1);
    },
    fill(records) {
      const entries = new Float64Array(records.length);
      records.forEach((record, index) => (entries[index] = entryOf(record)));
      entries.sort();
      chunks = [];
      for (let start = 0; start < entries.length; start += MAX_CHUNK_LENGTH) {
        const chunk = {
          entries: Array.from(entries.subarray(start, start + MAX_CHUNK_LENGTH)),
          range: undefined,
        };
        rangeOf(chunk);
        chunks.push(chunk);
      }
    },
    page(range, skip, limit, newestFirst) {
      const records: number[] = [];
      let total = 0;
      for (let step = 0; step < chunks.length; step += 1) {
        const chunk = chunks[newestFirst ? chunks.length - 1 - step : step];
        const entries = chunk ? within(chunk, range) : [];
        const first = Math.max(skip - total, 0);
        const last = Math.min(skip + limit - total, entries.length);
        for (let index = first; index < last; index += 1) {
          const entry = entries[newestFirst ? entries.length - 1 - index : index];
          if (entry !== undefined) records.push(entry % MAX_RECORDS);
        }
        total += entries.length;
      }
      return { total, records };
    },
  };
}

/** Returns the position of the entry, or the one at which it belongs. */
function positionOf(entries: readonly number[], entry: number): number {
  return firstIndex(entries.length, (index) => (entries[index] ?? Infinity) >= entry);
}
