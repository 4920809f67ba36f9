// Rows of JSON text by offset, in a file that only grows, or in memory where no folder for the state is given.
// Rows of payments stay out of the heap: a million of them would take eight seconds to read back at the start.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

export type RowStore = {
  /** Appends and says where. */
  append(row: Buffer): number;
  read(offset: number, length: number): string;
  clear(): void;
  close(): void;
};

const CHUNK = 1 << 20;

export function createRowStore(file: string | undefined): RowStore {
  return file === undefined ? inMemory() : inFile(file);
}

function inFile(file: string): RowStore {
  const descriptor = openSync(file, 'a+', 0o600);
  let end = fstatSync(descriptor).size;
  let target = Buffer.allocUnsafe(4096);
  return {
    append(row) {
      const offset = end;
      writeSync(descriptor, row);
      end += row.length;
      return offset;
    },
    read(offset, length) {
      if (target.length < length) target = Buffer.allocUnsafe(length);
      readSync(descriptor, target, 0, length, offset);
      return target.toString('utf8', 0, length);
    },
    clear() {
      ftruncateSync(descriptor);
      end = 0;
    },
    close: () => closeSync(descriptor),
  };
}

// Chunks of one size, and no row across two of them; a row is smaller than any request body may be.
function inMemory(): RowStore {
  let chunks: Buffer[] = [];
  let used = CHUNK;
  return {
    append(row) {
      if (used + row.length > CHUNK) {
        chunks.push(Buffer.allocUnsafe(CHUNK));
        used = 0;
      }
      const offset = (chunks.length - 1) * CHUNK + used;
      chunks.at(-1)?.set(row, used);
      used += row.length;
      return offset;
    },
    read(offset, length) {
      const start = offset % CHUNK;
      return chunks[Math.floor(offset / CHUNK)]?.toString('utf8', start, start + length) ?? '';
    },
    clear() {
      chunks = [];
      used = CHUNK;
    },
    close: () => undefined,
  };
}
