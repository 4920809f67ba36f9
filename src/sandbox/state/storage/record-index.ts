// Finds records by an id. The columns hold only a fingerprint of the id; records whose fingerprints share a bucket
// form a chain in two arrays of numbers, which is rebuilt from the columns at the start.

export type RecordIndex = {
  add(record: number): void;
  /** Must be called before the id of the record changes. */
  remove(record: number): void;
  /** Returns the records with this fingerprint, the newest first. */
  find(fingerprint: number): Iterable<number>;
  clear(): void;
};

const NONE = -1;

/** `fingerprintOf` reads the column. Fingerprint 0 means that the record has no such id; it is not indexed. */
export function createRecordIndex(fingerprintOf: (record: number) => number): RecordIndex {
  let heads = new Int32Array(1024).fill(NONE);
  let next = new Int32Array(1024);

  const bucketOf = (fingerprint: number) => fingerprint % heads.length;

  function link(record: number) {
    if (fingerprintOf(record) === 0) return;
    const bucket = bucketOf(fingerprintOf(record));
    next[record] = heads[bucket] ?? NONE;
    heads[bucket] = record;
  }

  // There are as many buckets as records. All records are linked again in order, so that the newest stays first.
  function grow() {
    const records = next.length;
    heads = new Int32Array(records * 2).fill(NONE);
    next = new Int32Array(records * 2);
    for (let record = 0; record < records; record += 1) link(record);
  }

  return {
    add(record) {
      if (record >= next.length) grow();
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

/**
 * Returns a whole number of 52 bits for a text. Among a million ids, two have the same fingerprint with a probability of
 * one in ten thousand, so callers must compare the id itself.
 */
export function fingerprint(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
