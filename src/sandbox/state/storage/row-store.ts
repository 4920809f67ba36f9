// Rows of JSON text in a file that only grows, or in memory if no folder is given. A changed record gets a new row.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import type { DataFolder } from '../data-folder';

type RowStore = {
  /** Returns the position to read the row from. Throws DiskError. */
  append(row: Buffer): number;
  read(position: number, length: number): string;
  clear(): void;
  close(): void;
};

export function createRowStore(folder: DataFolder | undefined, name: string): RowStore {
  return folder === undefined ? inMemory() : inFile(folder, name);
}

function inFile(folder: DataFolder, name: string): RowStore {
  const descriptor = openSync(folder.pathOf(name), 'a+', 0o600);
  let end = fstatSync(descriptor).size;
  let target = Buffer.allocUnsafe(4096);
  return {
    append(row) {
      const position = end;
      folder.write(descriptor, row, position);
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
