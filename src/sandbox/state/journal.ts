// The small state: each change is one line at the end of a file, and the last line of a key wins. A kill loses nothing
// that was written; a line that was cut off is left out. Payments have files of their own (payments/payment-store.ts).
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';

export type JournalKind = 'billing_key' | 'schedule' | 'settings' | 'clock' | 'tokens';

export type Journal = {
  /** What was saved under this kind, by key. */
  saved(kind: JournalKind): unknown[];
  /** null forgets the key. */
  put(kind: JournalKind, key: string, value: unknown): void;
  clear(): void;
  close(): void;
};

type Line = [kind: JournalKind, key: string, value: unknown];

const SPARE_LINES = 1000;

/** `file` undefined: nothing is kept. */
export function createJournal(file: string | undefined): Journal {
  if (file === undefined) {
    return { saved: () => [], put: () => undefined, clear: () => undefined, close: () => undefined };
  }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(parseLine) : [];
  const latest = new Map(lines.map((line) => [`${line[0]} ${line[1]}`, line]));
  const living = [...latest.values()].filter(([, , value]) => value !== null);
  if (lines.length > 2 * living.length + SPARE_LINES) replaceFile(file, living.map(lineOf).join(''));
  let descriptor = openSync(file, 'a', 0o600);
  // A cut-off last line must not swallow the next one.
  writeSync(descriptor, '\n');

  return {
    saved: (kind) => living.filter((line) => line[0] === kind).map(([, , value]) => value),
    put: (kind, key, value) => void writeSync(descriptor, lineOf([kind, key, value])),
    clear() {
      closeSync(descriptor);
      replaceFile(file, '');
      descriptor = openSync(file, 'a', 0o600);
    },
    close: () => closeSync(descriptor),
  };
}

/** The old content or the new, never a half. */
export function replaceFile(file: string, content: string) {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const lineOf = (line: Line) => `${JSON.stringify(line)}\n`;

function parseLine(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}
