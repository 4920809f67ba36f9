// Saves the small state: each change is one line at the end of a file, and the last line of a key counts. A killed
// process loses nothing that was written; an incomplete last line is ignored. Payments have their own files
// (storage/).

import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';

type Kind = 'billing_key' | 'prepared' | 'schedule' | 'settings' | 'clock' | 'tokens';

type Journal = {
  /** Returns the values that were saved under this kind when the journal was opened. */
  saved(kind: Kind): unknown[];
  /** Null removes the key. */
  put(kind: Kind, key: string, value: unknown): void;
  clear(): void;
  close(): void;
};

type Line = [kind: Kind, key: string, value: unknown];

const MAX_OUTDATED_LINES = 1000;

/** Saves nothing if `file` is undefined. */
export function createJournal(file: string | undefined): Journal {
  if (file === undefined) {
    return { saved: () => [], put: () => undefined, clear: () => undefined, close: () => undefined };
  }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(parseLine) : [];
  const latest = new Map(lines.map((line) => [`${line[0]} ${line[1]}`, line]));
  const current = [...latest.values()].filter(([, , value]) => value !== null);
  if (lines.length > 2 * current.length + MAX_OUTDATED_LINES) {
    replaceFile(file, current.map(toText).join(''));
  }
  let descriptor = openSync(file, 'a', 0o600);
  // An incomplete last line must not become part of the next one.
  writeSync(descriptor, '\n');

  return {
    saved: (kind) => current.filter((line) => line[0] === kind).map(([, , value]) => value),
    put: (kind, key, value) => void writeSync(descriptor, toText([kind, key, value])),
    clear() {
      closeSync(descriptor);
      replaceFile(file, '');
      descriptor = openSync(file, 'a', 0o600);
    },
    close: () => closeSync(descriptor),
  };
}

/** Replaces the whole content at once: a killed process leaves the old content or the new. */
export function replaceFile(file: string, content: string) {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const toText = (line: Line) => `${JSON.stringify(line)}\n`;

function parseLine(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}
