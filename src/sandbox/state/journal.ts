// Saves the small state as an append-only file: one line per change, and the last line of a key counts. If the process is
// killed, only an incomplete last line is lost. Payments have their own files (storage/).

import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs';
import { whereThereIsRoom, type DataFolder } from './data-folder';

type Kind = 'billing_key' | 'prepared' | 'schedule' | 'settings' | 'clock' | 'shop_clock' | 'tokens';
type Entry = [key: string, value: unknown];

type Journal = {
  /** Returns the values that were saved under this kind when the journal was opened. */
  saved(kind: Kind): unknown[];
  /** Saves all entries or none. Null removes the key. Throws DiskError. */
  put(kind: Kind, ...entries: Entry[]): void;
  clear(): void;
  close(): void;
};

type Line = [kind: Kind, ...Entry];

const NAME = 'journal.jsonl';
const MAX_OUTDATED_LINES = 1000;

/** Saves nothing if `folder` is undefined. */
export function createJournal(folder: DataFolder | undefined): Journal {
  if (folder === undefined) {
    return { saved: () => [], put: () => undefined, clear: () => undefined, close: () => undefined };
  }
  const file = folder.pathOf(NAME);
  const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  // An incomplete last line must not become part of the next one.
  const end = content.lastIndexOf('\n') + 1;
  if (end < content.length) truncateSync(file, end);
  const lines = content.toString('utf8', 0, end).split('\n').flatMap(parseLine);
  const latest = new Map(lines.map((line) => [`${line[0]} ${line[1]}`, line]));
  const current = [...latest.values()].filter(([, , value]) => value !== null);
  if (lines.length > 2 * current.length + MAX_OUTDATED_LINES)
    whereThereIsRoom(() => folder.replace(NAME, current.map(toText).join('')));
  const descriptor = openSync(file, 'a', 0o600);

  return {
    saved: (kind) => current.filter((line) => line[0] === kind).map(([, , value]) => value),
    put(kind, ...entries) {
      const text = entries.map((entry) => toText([kind, ...entry])).join('');
      folder.write(descriptor, Buffer.from(text), fstatSync(descriptor).size);
    },
    clear: () => ftruncateSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

const toText = (line: Line) => `${JSON.stringify(line)}\n`;

function parseLine(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}
