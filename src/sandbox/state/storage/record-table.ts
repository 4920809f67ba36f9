// This folder lets the sandbox hold a million payments. Plain objects would fill the memory and take long to read at the
// start, so numbers that are sorted, searched or often changed are stored in columns, and the rest of a record is a row of
// JSON that is read only when the record is shown.

import type { DataFolder } from '../data-folder';
import { createColumnStore } from './column-store';
import { createRecordIndex, fingerprint, type RecordIndex } from './record-index';
import { createRowStore } from './row-store';

/** How the fields of a record are stored. A field that is not named here is in the row. */
export type Layout<Item, Id extends keyof Item, Column extends keyof Item> = {
  /** Up to three text fields by which records are found; null if a record has no such id. */
  ids: readonly Id[];
  /** Up to seven fields that are whole numbers below 2^32 (`'number'`), booleans (`'flag'`) or one of a few words. */
  columns: Record<Column, 'number' | 'flag' | readonly string[]>;
  /** Values that a row leaves out: null, 0, false and []. */
  empty: Partial<Item>;
};

/** `sequence` is the number of the record, counted from 0. */
type RecordTable<Item, Id, Column> = {
  count(): number;
  /** If it throws DiskError, no record is added. */
  add(draft: Omit<Item, 'sequence'>): Item;
  read(sequence: number): Item;
  /** Stores the change and applies it to `item`, which must be the record as read. If it throws DiskError, nothing changes. */
  change(item: Item, change: Partial<Item>): void;
  /** Returns the records with this id, newest first. Ids are compared by fingerprint, so check the id of the record read. */
  find(id: Id, value: string): number[];
  /** Returns a function that reads the column of a record; a flag is 0 or 1, a word its position in the list of words. */
  column(name: Column): (sequence: number) => number;
  clear(): void;
  close(): void;
};

// The first float and the first word of a record hold the position and length of its row.
const ROW_POSITION = 0;
const ROW_LENGTH = 0;

/** Stored in two files of `folder`, `name`.columns and `name`.rows, or in memory only if it is undefined. */
export function createRecordTable<
  Item extends { readonly sequence: number },
  Id extends keyof Item & string,
  Column extends keyof Item & string,
>(
  folder: DataFolder | undefined,
  name: string,
  layout: Layout<Item, Id, Column>,
): RecordTable<Item, Id, Column> {
  const store = createColumnStore(folder, `${name}.columns`);
  const rows = createRowStore(folder, `${name}.rows`);
  const columnNames = Object.keys(layout.columns) as Column[];
  const wordOf = numbered(columnNames);
  const floatOf = numbered(layout.ids);
  const indexes = Object.fromEntries(layout.ids.map((id) => [id, indexBy(floatOf[id])])) as Record<
    Id,
    RecordIndex
  >;
  const isInRow = (name: string) => name !== 'sequence' && !(name in layout.columns);

  for (let sequence = 0; sequence < store.count(); sequence += 1) addToIndexes(sequence);

  function indexBy(column: number): RecordIndex {
    return createRecordIndex((sequence) => store.float(sequence, column));
  }

  function addToIndexes(sequence: number) {
    for (const id of layout.ids) indexes[id].add(sequence);
  }

  type Row = { position: number; length: number };
  function appendRow(item: object): Row {
    const row = Buffer.from(`${JSON.stringify(rowOf(item))}\n`);
    return { position: rows.append(row), length: row.length };
  }

  function write(item: Item, row?: Row) {
    const { sequence } = item;
    if (row) {
      store.setFloat(sequence, ROW_POSITION, row.position);
      store.setWord(sequence, ROW_LENGTH, row.length);
    }
    for (const id of layout.ids) {
      const value = item[id] as string | null;
      store.setFloat(sequence, floatOf[id], value === null ? 0 : fingerprint(value));
    }
    for (const name of columnNames) {
      const values = layout.columns[name];
      const value = item[name] as number & string;
      store.setWord(
        sequence,
        wordOf[name],
        typeof values === 'string' ? Number(value) : values.indexOf(value),
      );
    }
    store.write(sequence);
  }

  function rowOf(item: object) {
    const fields = Object.entries(item).filter(
      ([name, value]) => isInRow(name) && !(name in layout.empty && isEmpty(value)),
    );
    return Object.fromEntries(fields);
  }

  return {
    count: () => store.count(),
    add(draft) {
      const row = appendRow(draft);
      const item = { ...draft, sequence: store.add() } as Item;
      write(item, row);
      addToIndexes(item.sequence);
      return item;
    },
    read(sequence) {
      const text = rows.read(store.float(sequence, ROW_POSITION), store.word(sequence, ROW_LENGTH));
      const item = JSON.parse(text) as Record<string, unknown>;
      // Assigned one by one: spreading takes ten times as long, and a page may have a thousand records.
      item.sequence = sequence;
      for (const name in layout.empty) item[name] ??= layout.empty[name];
      for (const name of columnNames) {
        const values = layout.columns[name];
        const word = store.word(sequence, wordOf[name]);
        item[name] = values === 'number' ? word : values === 'flag' ? word === 1 : values[word];
      }
      return item as Item;
    },
    change(item, change) {
      const changed = layout.ids.filter((id) => change[id] !== undefined && change[id] !== item[id]);
      const next = { ...item, ...change };
      const row = Object.keys(change).some(isInRow) ? appendRow(next) : undefined;
      for (const id of changed) indexes[id].remove(item.sequence);
      try {
        write(next, row);
        Object.assign(item, change);
      } finally {
        for (const id of changed) indexes[id].add(item.sequence);
      }
    },
    find: (id, value) => [...indexes[id].find(fingerprint(value))],
    column(name) {
      const column = wordOf[name];
      return (sequence) => store.word(sequence, column);
    },
    clear() {
      store.clear();
      rows.clear();
      for (const id of layout.ids) indexes[id].clear();
    },
    close() {
      store.close();
      rows.close();
    },
  };
}

/** Returns the column of each name, counted from 1, as column 0 belongs to the row. */
function numbered<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name, index) => [name, index + 1])) as Record<Name, number>;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}
