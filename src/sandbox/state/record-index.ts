// Record numbers by fingerprint: chains in two plain arrays of numbers, rebuilt from the columns at the start.
export type RecordIndex = {
  add(record: number): void;
  remove(record: number): void;
  /** The records under this fingerprint, the newest first. */
  find(fingerprint: number): Iterable<number>;
  clear(): void;
};

const NONE = -1;

/** `fingerprintOf` reads the column; fingerprint 0 means "has none" and is not indexed. */
export function createRecordIndex(fingerprintOf: (record: number) => number): RecordIndex {
  let heads = new Int32Array(1024).fill(NONE);
  let next = new Int32Array(1024);

  const bucketOf = (fingerprint: number) => fingerprint % heads.length;

  function link(record: number) {
    const bucket = bucketOf(fingerprintOf(record));
    next[record] = heads[bucket] ?? NONE;
    heads[bucket] = record;
  }

  // As many buckets as records; all records are linked anew, in order, so that chains keep the newest first.
  function grow(size: number) {
    const linked = new Uint8Array(next.length);
    for (const head of heads)
      for (let each = head; each !== NONE; each = next[each] ?? NONE) linked[each] = 1;
    heads = new Int32Array(size).fill(NONE);
    next = new Int32Array(size);
    linked.forEach((isLinked, record) => {
      if (isLinked === 1) link(record);
    });
  }

  return {
    add(record) {
      if (fingerprintOf(record) === 0) return;
      if (record >= next.length) grow(Math.max(next.length * 2, record + 1));
      link(record);
    },
    remove(record) {
      const bucket = bucketOf(fingerprintOf(record));
      if (heads[bucket] === record) heads[bucket] = next[record] ?? NONE;
      for (let each = heads[bucket] ?? NONE; each !== NONE; each = next[each] ?? NONE)
        if (next[each] === record) next[each] = next[record] ?? NONE;
    },
    *find(fingerprint) {
      let each = heads[bucketOf(fingerprint)] ?? NONE;
      for (; each !== NONE; each = next[each] ?? NONE) if (fingerprintOf(each) === fingerprint) yield each;
    },
    clear() {
      heads = new Int32Array(1024).fill(NONE);
      next = new Int32Array(1024);
    },
  };
}
