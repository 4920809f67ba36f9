// Terminal output of commands: tables, times, colours and progress.

import { styleText } from 'node:util';
import { timeInSeoul } from '../platform/clock';

/** Standard output or standard error. */
export type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown };

export type Paint = (text: string, colour: 'green' | 'yellow' | 'red' | 'bold' | 'dim') => string;

/** Colours text on a terminal only, and not if NO_COLOR is set (no-color.org). */
export function createPaint(
  stream: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint {
  const isColoured = stream.isTTY === true && !environment['NO_COLOR'];
  return (text, colour) => (isColoured ? styleText(colour, text, { validateStream: false }) : text);
}

/** The maximum line width: the terminal's current width, or unlimited if the output is not a terminal. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY === true && stream.columns ? stream.columns : Infinity;
}

/** Where text for people goes. */
export type Terminal = { columns: number; paint: Paint };

export function terminalOf(
  stream: { isTTY?: boolean; columns?: number },
  environment: Record<string, string | undefined>,
): Terminal {
  return { columns: columnsOf(stream), paint: createPaint(stream, environment) };
}

/** Characters that change the direction of a text, break its line or are invisible. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces each of them with its JSON escape. A shop's program may have written them into a row. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, toEscape);
}

/** One line without colours: control characters are escaped too. They could move the cursor or forge a line. */
export function escapeLine(text: string): string {
  return escapeUnseen(text.replace(/\p{Cc}/gu, toEscape));
}

function toEscape(character: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return character.split('').map(escape).join('');
}

/** Hangul, Chinese characters and full-width forms, which take two columns. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** In terminal columns. */
function widthOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/** Lines of at most this width, broken between words. A longer word stays whole, so that an id can be copied. */
export function fold(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`;
      if (current !== '' && widthOf(longer) > width) {
        lines.push(current);
        current = word;
      } else current = longer;
    }
    return [...lines, current];
  });
}

/** A text beside its label, folded and indented. */
export function labelled(label: string, text: string, columns: number, labelWidth = widthOf(label)): string {
  const beside = labelWidth + 2;
  const lines = fold(text, columns - beside);
  return `${padTo(label, beside)}${lines.join(`\n${' '.repeat(beside)}`)}`;
}

/** Columns as wide as their content; numbers are right-aligned. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
  );
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const isNumber = widths.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const pad = (cell: string, at: number) =>
    isNumber[at] ? ' '.repeat((widths[at] ?? 0) - widthOf(cell)) + cell : padTo(cell, widths[at] ?? 0);
  return cells.map((row) => `  ${row.map(pad).join('  ').trimEnd()}\n`).join('');
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - widthOf(text), 0));
}

/** A time in Korea, where the service and its merchants are: "2026-11-21 17:20:03 KST". */
export function serviceTime(date: Date): string {
  return `${timeInSeoul(date)} KST`;
}

type Progress = {
  /** @param done 0 to 1 */
  show(name: string, done: number, text: string): void;
  /** Clears the bar. */
  end(): void;
};

const BAR_WIDTH = 24;

/** A bar on a terminal, a line at every quarter elsewhere, nothing if `quiet`. */
export function createProgress(stream: Output, quiet: boolean): Progress {
  let lastLine = '';
  return {
    show(name, done, text) {
      if (quiet) return;
      const share = Math.min(Math.max(done, 0), 1);
      if (stream.isTTY) {
        const full = Math.round(share * BAR_WIDTH);
        const bar = `${name.padEnd(10)} [${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${text}`;
        // A bar wider than the terminal would not be overwritten completely.
        stream.write(`\r\x1b[K${bar.slice(0, columnsOf(stream) - 1)}`);
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
