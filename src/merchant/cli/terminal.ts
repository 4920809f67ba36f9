// What a command shows: a table, times, colour on a terminal, and progress.

import type { WriteStream } from 'node:tty';

export type Paint = (text: string, colour: 'green' | 'yellow' | 'red' | 'bold') => string;

const CODES = { green: 32, yellow: 33, red: 31, bold: 1 };

/** Colours text on a terminal only, and not where NO_COLOR is set (no-color.org). */
export function createPaint(
  stream: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint {
  const isColoured = stream.isTTY === true && !environment['NO_COLOR'];
  return (text, colour) => (isColoured ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
}

/** Columns as wide as they need to be; numbers to the right. The last column is not padded. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
  );
  const columns = Math.max(...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...cells.map((row) => row[at]?.length ?? 0)),
  );
  const isNumber = (at: number) => rows.some((row) => typeof row[at] === 'number');
  return cells
    .map((row) =>
      row
        .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}\n`)
    .join('');
}

const KST_MS = 9 * 3_600_000;

/** A time in Korea, where the service and its merchants are: "2026-11-21 17:20:03 KST". */
export function serviceTime(date: Date): string {
  return `${new Date(+date + KST_MS).toISOString().slice(0, 19).replace('T', ' ')} KST`;
}

export type Progress = {
  /** @param done 0 to 1 */
  show(name: string, done: number, text: string): void;
  /** Clears the bar. */
  end(): void;
};

const BAR_WIDTH = 24;

/** A bar on a terminal, a line at every quarter elsewhere, nothing if `quiet`. */
export function createProgress(stream: Pick<WriteStream, 'isTTY' | 'write'>, quiet: boolean): Progress {
  let lastLine = '';
  return {
    show(name, done, text) {
      if (quiet) return;
      const share = Math.min(Math.max(done, 0), 1);
      if (stream.isTTY) {
        const full = Math.round(share * BAR_WIDTH);
        stream.write(
          `\r\x1b[K${name.padEnd(10)} [${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${text}`,
        );
        return;
      }
      const percent = Math.floor(share * 4) * 25;
      const line = `${name} ${percent} %`;
      if (line === lastLine) return;
      lastLine = line;
      stream.write(`${line}: ${text}\n`);
    },
    end() {
      if (!quiet && stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}
