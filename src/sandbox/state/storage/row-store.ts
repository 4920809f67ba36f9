// Rows of JSON text in a file that only grows, or in memory if no file is given. A changed record gets a new row.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

type RowStore = {
  /** Returns the position to read the row from. */
  append(row: Buffer): number;
  read(position: number, length: number): string;
  clear(): void;
  close(): void;
};

export function createRowStore(file: string | undefined): RowStore {
  return file === undefined ? inMemory() : inFile(file);
}

function inFile(file: string): RowStore {
  const descriptor = openSync(file, 'a+', 0o600);
  let end = fstatSync(descriptor).size;
  let target = Buffer.allocUnsafe(4096);
  return {
    append(row) {
      const position = end;
      writeSync(descriptor, row);
      end += row.length;
      return position;
    },
    read(position, length) {
      if (target.length < length) target = Buffer.allocUnsafe(length);
      readSync(descriptor, target, 0, length, position);
      return target.toString('utf8', 0, length);
    },
    clear() {
      ftruncateSync(descriptor);
      end = 0;
    },
    close: () => closeSync(descriptor),
  };
}

function inMemory(): RowStore {
  let rows: Buffer[] = [];
  return {
    append: (row) => rows.push(row) - 1,
    read: (position) => rows[position]?.toString() ?? '',
    clear() {
      rows = [];
    },
    close: () => undefined,
  };
}
