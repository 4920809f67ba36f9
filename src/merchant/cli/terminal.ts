// What a command shows: a table, times, colour on a terminal, and progress.

import type { WriteStream } from 'node:tty';

export type Paint = (text: string, colour: 'green' | 'yellow' | 'red' | 'bold' | 'dim') => string;

const CODES = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 };

/** Colours text on a terminal only, and not where NO_COLOR is set (no-color.org). */
export function createPaint(
  stream: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint {
  const isColoured = stream.isTTY === true && !environment['NO_COLOR'];
  return (text, colour) => (isColoured ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
}

/** How wide lines may be: as a terminal is at this moment, and without end elsewhere, where programs read them. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY === true && stream.columns ? stream.columns : Infinity;
}

/** Characters that turn the direction of a text, break its line or are not seen in it. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** With each of those as JSON escapes it. What a program of the shop wrote into a row may have them. */
export function escapeUnseen(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSEEN, (character) => character.split('').map(escape).join(''));
}

/** Hangul, Chinese characters and full-width forms, which take two columns. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** In columns of a terminal. */
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

/** Further in than the text of an option: goes on from the line before. */
const CONTINUES = /^ {8,}\S/;

/**
 * The text of `--help` as wide as the terminal: paragraphs are joined and folded again, an option stays on its own line with
 * its text indented below, and so does each way to call the command. Unchanged where it fits.
 */
export function foldHelp(help: string, columns: number): string {
  const lines = help.split('\n');
  if (lines.every((line) => widthOf(line) <= columns)) return help;
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1) ?? '';
    const isText = /^[^\s]/.test(line) && !line.startsWith('npm run');
    const goesOn = CONTINUES.test(line) || (isText && /^[^\s]/.test(before) && !before.startsWith('npm run'));
    if (goesOn && before !== '') joined[joined.length - 1] = `${before} ${line.trim()}`;
    else joined.push(line);
  }
  return joined
    .map((line) => {
      const [, option, text] = /^( {2}\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
      if (option !== undefined && text !== undefined)
        return labelled(option, text, columns, line.length - text.length - 2);
      return fold(line, columns).join(line.startsWith('npm run') ? '\n    ' : '\n');
    })
    .join('\n');
}

/** Less than this beside a label is hard to read: the text then goes below. */
const LEAST_TEXT = 28;

/** A text beside its label, below it where the terminal is narrow, with its lines indented alike. */
export function labelled(label: string, text: string, columns: number, labelWidth = widthOf(label)): string {
  const beside = labelWidth + 2;
  const below = columns - beside < LEAST_TEXT;
  const indent = ' '.repeat(below ? 6 : beside);
  const lines = fold(text, columns - indent.length);
  if (below) return [label.trimEnd(), ...lines.map((line) => `${indent}${line}`)].join('\n');
  const first = `${label}${' '.repeat(Math.max(beside - widthOf(label), 2))}`;
  return `${first}${lines.join(`\n${indent}`)}`;
}

/**
 * Columns as wide as they need to be; numbers to the right. The last column is not padded, and is folded where it is too
 * wide. Where the other columns leave it no room, each row is a block with the words of the first row as labels.
 */
export function table(rows: readonly (readonly (string | number)[])[], columns = Infinity): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
  );
  const count = Math.max(...cells.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...cells.map((row) => widthOf(row[at] ?? ''))),
  );
  const isNumber = (at: number) => rows.some((row) => typeof row[at] === 'number');
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 2);
  const longestWord = Math.max(
    ...cells.flatMap((row) => (row[count - 1] ?? '').split(' ').map((word) => widthOf(word))),
  );
  if (before + longestWord > columns) return blocks(cells, columns);
  const pad = (cell: string, at: number) => {
    const blank = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
    return isNumber(at) ? blank + cell : cell + blank;
  };
  return cells
    .map((row) => {
      const last = row.length === count ? (row[count - 1] ?? '') : '';
      const folded = isNumber(count - 1) ? [pad(last, count - 1)] : fold(last, columns - before);
      const head = row
        .slice(0, count - 1)
        .map((cell, at) => `${pad(cell, at)}  `)
        .join('');
      return folded
        .map((line, at) => `  ${(at === 0 ? head : ' '.repeat(before - 2)) + line}`.trimEnd())
        .join('\n');
    })
    .map((line) => `${line}\n`)
    .join('');
}

function blocks([labels = [], ...rows]: string[][], columns: number): string {
  const width = Math.max(...labels.slice(1).map((label) => widthOf(label))) + 4;
  return rows
    .map(([name = '', ...row]) => {
      const lines = row.map((cell, at) => labelled(`    ${labels[at + 1] ?? ''}`, cell, columns, width));
      return `  ${name}\n${lines.join('\n')}\n`;
    })
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
export function createProgress(
  stream: Pick<WriteStream, 'isTTY' | 'write'> & { columns?: number },
  quiet: boolean,
): Progress {
  let lastLine = '';
  return {
    show(name, done, text) {
      if (quiet) return;
      const share = Math.min(Math.max(done, 0), 1);
      if (stream.isTTY) {
        const full = Math.round(share * BAR_WIDTH);
        const bar = `${name.padEnd(10)} [${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${text}`;
        // A line that goes over the edge would stay when it is drawn again.
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
