// Records in the order of one time, counted and paged within a range of another (§4.5: sorted by one clock, searched
// by a second). Short chunks know the range of their second time: most are counted or skipped whole, so that a page in
// the middle of a million costs about as much as one of a thousand.
export type OrderedList = {
  add: (record: number) => void;
  /** Before either time of the record changes. */
  remove: (record: number) => void;
  /** Takes over many at once. */
  fill(records: readonly number[]): void;
  page(range: Range, skip: number, limit: number, newestFirst: boolean): { total: number; records: number[] };
};

export type Range = { from: number; to: number };

/** How many records a list can tell apart: sort time and record number share the 53 bits of one number. */
export const MOST_RECORDS = 2 ** 21;

const LONGEST_CHUNK = 512;

type Chunk = { entries: number[]; range: Range | undefined };
type TimeOf = (record: number) => number;

export function createOrderedList(sortTimeOf: TimeOf, searchTimeOf: TimeOf): OrderedList {
  let chunks: Chunk[] = [];
  const entryOf = (record: number) => sortTimeOf(record) * MOST_RECORDS + record;

  // The last chunk that begins at or before the entry.
  function chunkFor(entry: number): number {
    let [low, high] = [0, chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((chunks[middle]?.entries[0] ?? 0) <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function rangeOf(chunk: Chunk): Range {
    if (chunk.range) return chunk.range;
    const range = { from: Infinity, to: -Infinity };
    for (const entry of chunk.entries) {
      const time = searchTimeOf(entry % MOST_RECORDS);
      range.from = Math.min(range.from, time);
      range.to = Math.max(range.to, time);
    }
    return (chunk.range = range);
  }

  /** The chunk's entries in the range; the chunk's own array where all of them are. */
  function within(chunk: Chunk, { from, to }: Range): readonly number[] {
    const own = rangeOf(chunk);
    if (own.from >= from && own.to <= to) return chunk.entries;
    if (own.to < from || own.from > to) return [];
    return chunk.entries.filter((entry) => {
      const time = searchTimeOf(entry % MOST_RECORDS);
      return time >= from && time <= to;
    });
  }

  return {
    add(record) {
      const entry = entryOf(record);
      const position = chunkFor(entry);
      const chunk = chunks[position];
      if (!chunk) return void chunks.push({ entries: [entry], range: undefined });
      chunk.entries.splice(positionOf(chunk.entries, entry), 0, entry);
      chunk.range = undefined;
      if (chunk.entries.length <= LONGEST_CHUNK) return;
      // The later half may go on growing at the end; cut late so that chunks filled in order end up full.
      const rest = chunk.entries.splice(
        LONGEST_CHUNK - (position === chunks.length - 1 ? 1 : LONGEST_CHUNK / 2),
      );
      chunks.splice(position + 1, 0, { entries: rest, range: undefined });
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
      for (let start = 0; start < entries.length; start += LONGEST_CHUNK)
        chunks.push({
          entries: Array.from(entries.subarray(start, start + LONGEST_CHUNK)),
          range: undefined,
        });
      chunks.forEach(rangeOf);
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
          if (entry !== undefined) records.push(entry % MOST_RECORDS);
        }
        total += entries.length;
      }
      return { total, records };
    },
  };
}

/** Where the entry is, or would be. */
function positionOf(entries: readonly number[], entry: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] ?? Infinity) < entry) low = middle + 1;
    else high = middle;
  }
  return low;
}
