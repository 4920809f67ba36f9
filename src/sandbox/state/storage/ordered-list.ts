// Records sorted by one time, counted and paged within a range of another time (§4.5 sorts by one time and searches by a
// second). The list consists of short chunks with the range of their search times and whether they have a record of a test
// channel (§4.4). Most chunks are counted or skipped as a whole, so a page of a million costs about as much as one of a
// thousand.

import { firstIndex } from '../binary-search';

export type OrderedList = {
  add: (record: number) => void;
  /** Must be called before either time of the record changes. */
  remove: (record: number) => void;
  /** Replaces the content by these records. */
  fill(records: readonly number[]): void;
  page(query: PageQuery, skip: number, limit: number): { total: number; records: number[] };
};

type PageQuery = Range & { newestFirst: boolean; includeSandbox: boolean };

/** Both ends are inclusive. */
export type Range = { from: number; to: number };

/** The sort time and the record number share the 53 bits of one number, which limits the record numbers. */
export const MAX_RECORDS = 2 ** 21;

const MAX_CHUNK_LENGTH = 512;

/** `entries` are sorted. `summary` is computed when it is needed. */
type Chunk = { entries: number[]; summary: Summary | undefined };
type Summary = Range & { hasSandbox: boolean };
type TimeOf = (record: number) => number;

/** `isSandbox` must not change while a record is in the list. */
export function createOrderedList(
  sortTimeOf: TimeOf,
  searchTimeOf: TimeOf,
  isSandbox: (record: number) => boolean,
): OrderedList {
  let chunks: Chunk[] = [];
  const entryOf = (record: number) => sortTimeOf(record) * MAX_RECORDS + record;
  const searchTime = (entry: number) => searchTimeOf(entry % MAX_RECORDS);

  /** Returns the position of the last chunk that begins at or before the entry, or 0. */
  function chunkFor(entry: number): number {
    const later = firstIndex(chunks.length, (index) => (chunks[index]?.entries[0] ?? 0) > entry);
    return Math.max(later - 1, 0);
  }

  function summaryOf(chunk: Chunk): Summary {
    if (chunk.summary) return chunk.summary;
    const summary = { from: Infinity, to: -Infinity, hasSandbox: false };
    for (const entry of chunk.entries) {
      const time = searchTime(entry);
      summary.from = Math.min(summary.from, time);
      summary.to = Math.max(summary.to, time);
      summary.hasSandbox ||= isSandbox(entry % MAX_RECORDS);
    }
    return (chunk.summary = summary);
  }

  /** Returns the entries of the chunk that the query finds. */
  function within(chunk: Chunk, { from, to, includeSandbox }: PageQuery): readonly number[] {
    const own = summaryOf(chunk);
    if (own.to < from || own.from > to) return [];
    const inRange = (entry: number) => searchTime(entry) >= from && searchTime(entry) <= to;
    const ranged = own.from >= from && own.to <= to ? chunk.entries : chunk.entries.filter(inRange);
    if (includeSandbox || !own.hasSandbox) return ranged;
    return ranged.filter((entry) => !isSandbox(entry % MAX_RECORDS));
  }

  return {
    add(record) {
      const entry = entryOf(record);
      const position = chunkFor(entry);
      const chunk = chunks[position];
      if (!chunk) return void chunks.push({ entries: [entry], summary: undefined });
      chunk.entries.splice(positionOf(chunk.entries, entry), 0, entry);
      chunk.summary = undefined;
      if (chunk.entries.length <= MAX_CHUNK_LENGTH) return;
      // The last chunk is split at its end, so that a list that grows at its end consists of full chunks.
      const cut = position === chunks.length - 1 ? MAX_CHUNK_LENGTH - 1 : MAX_CHUNK_LENGTH / 2;
      chunks.splice(position + 1, 0, { entries: chunk.entries.splice(cut), summary: undefined });
    },
    remove(record) {
      const entry = entryOf(record);
      const position = chunkFor(entry);
      const chunk = chunks[position];
      const index = chunk ? positionOf(chunk.entries, entry) : -1;
      if (!chunk || chunk.entries[index] !== entry) return;
      chunk.entries.splice(index, 1);
      chunk.summary = undefined;
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
          summary: undefined,
        };
        summaryOf(chunk);
        chunks.push(chunk);
      }
    },
    page(query, skip, limit) {
      const { newestFirst } = query;
      const records: number[] = [];
      let total = 0;
      for (let step = 0; step < chunks.length; step += 1) {
        const chunk = chunks[newestFirst ? chunks.length - 1 - step : step];
        const entries = chunk ? within(chunk, query) : [];
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

/** Returns the position of the entry, or the position to insert it at. */
function positionOf(entries: readonly number[], entry: number): number {
  return firstIndex(entries.length, (index) => (entries[index] ?? Infinity) >= entry);
}
