// Formats the log of a program for a terminal: one line per event, wrapped on narrow terminals. Ids are never truncated, so
// that they can be copied.

import { escapeLine, fold, type Terminal } from '../../merchant/cli/terminal';
import { recordOf, type LogEntry, type ShownEvent } from './log-entry';
import { merchantEvent } from './merchant-event';
import { sandboxEvent } from './sandbox-event';

export type Program = 'merchant' | 'sandbox';

/** The column in which results are aligned. */
const RESULT_COLUMN = 62;
/** The width of time and mark. */
const INDENT = 13;
const COLOURS = { plain: null, good: 'green', warning: 'yellow', error: 'red' } as const;

/**
 * @param line a line of a program's standard output, without line end
 * @returns lines with line ends; '' for an event that is not shown. Lines other than JSON are passed on.
 */
export function formatLogLine(program: Program, line: string, terminal: Terminal): string {
  const entry = parse(line);
  if (entry === null) return line.trim() === '' ? '' : `${escapeLine(line)}\n`;
  const event = program === 'sandbox' ? sandboxEvent(entry) : merchantEvent(entry);
  return event === null ? '' : layOut(event, timeOf(entry), terminal);
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return null;
  }
}

/** In local time; pino writes text or milliseconds. */
function timeOf({ time }: LogEntry): string {
  const date = new Date(typeof time === 'string' || typeof time === 'number' ? time : NaN);
  if (Number.isNaN(+date)) return ' '.repeat('00:00:00'.length);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function layOut({ mark, what, result, tone, notes }: ShownEvent, time: string, terminal: Terminal): string {
  const { columns, paint } = terminal;
  const colour = COLOURS[tone];
  const painted = (text: string) => (colour === null ? text : paint(text, colour));
  const head = what.map(escapeLine).join(' ');
  const said = result.length === 0 ? '' : `-> ${result.map(escapeLine).join(' ')}`;
  const start = `${paint(time, 'dim')}  ${mark === '!!' ? painted(mark) : mark} `;
  const gap = Math.max(RESULT_COLUMN - INDENT - head.length, 2);
  const fits = [columns >= 100 ? gap : 2, 2].find(
    (spaces) => INDENT + head.length + spaces + said.length <= columns,
  );
  const indented = (text: string, paintIt: (line: string) => string) =>
    fold(text, columns - INDENT).map((each) => `${' '.repeat(INDENT)}${paintIt(each)}\n`);
  const lines =
    said === ''
      ? indented(head, (text) => text)
      : fits !== undefined
        ? [`${' '.repeat(INDENT)}${head}${' '.repeat(fits)}${painted(said)}\n`]
        : [...indented(head, (text) => text), ...indented(said, painted)];
  const text = [...lines, ...notes.flatMap((note) => indented(escapeLine(note), (each) => each))].join('');
  return `${start}${text.slice(INDENT)}`;
}
