// Numbers of fixed size for each record, in one block of memory. A file holds the same bytes: it is read in one piece at the
// start, and written records survive a killed process.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import type { DataFolder } from '../data-folder';

const FLOATS = 4;
const WORDS = 8;
const BYTES = FLOATS * 8 + WORDS * 4;

type ColumnStore = {
  count(): number;
  /** Adds a record of zeros and returns its number; the first is 0. */
  add(): number;
  /** Four columns for whole numbers up to 2^53. */
  float(record: number, column: number): number;
  setFloat(record: number, column: number, value: number): void;
  /** Eight columns for whole numbers below 2^32. */
  word(record: number, column: number): number;
  setWord(record: number, column: number, value: number): void;
  /**
   * Writes the record to the file, once all its columns are set. If it throws DiskError, the record has its content from the
   * file, or is removed if it was just added.
   */
  write(record: number): void;
  clear(): void;
  close(): void;
};

/** Kept in memory only if `folder` is undefined. */
export function createColumnStore(folder: DataFolder | undefined, name: string): ColumnStore {
  const descriptor = folder && openSync(folder.pathOf(name), constants.O_RDWR | constants.O_CREAT, 0o600);
  // An incomplete last record is ignored, and the next one is written over it.
  let count = descriptor === undefined ? 0 : Math.floor(fstatSync(descriptor).size / BYTES);
  let views = allocate(Math.max(1024, count * 2));
  if (descriptor !== undefined) readSync(descriptor, views.bytes, 0, count * BYTES, 0);

  return {
    count: () => count,
    add() {
      if ((count + 1) * BYTES > views.bytes.length) {
        const larger = allocate(count * 2);
        larger.bytes.set(views.bytes);
        views = larger;
      }
      count += 1;
      return count - 1;
    },
    float: (record, column) => views.floats[record * (BYTES / 8) + column] ?? 0,
    setFloat: (record, column, value) => {
      views.floats[record * (BYTES / 8) + column] = value;
    },
    word: (record, column) => views.words[record * (BYTES / 4) + FLOATS * 2 + column] ?? 0,
    setWord: (record, column, value) => {
      views.words[record * (BYTES / 4) + FLOATS * 2 + column] = value;
    },
    write(record) {
      if (folder === undefined || descriptor === undefined) return;
      const position = record * BYTES;
      try {
        folder.write(descriptor, views.bytes.subarray(position, position + BYTES), position);
      } catch (error) {
        if (readSync(descriptor, views.bytes, position, BYTES, position) < BYTES) count = record;
        throw error;
      }
    },
    clear() {
      count = 0;
      views = allocate(1024);
      if (descriptor !== undefined) ftruncateSync(descriptor);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function allocate(records: number) {
  const buffer = new ArrayBuffer(records * BYTES);
  return {
    bytes: new Uint8Array(buffer),
    floats: new Float64Array(buffer),
    words: new Uint32Array(buffer),
  };
}
