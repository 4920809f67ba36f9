// CSV files (RFC 4180) that spreadsheets open.

import { timeInSeoul } from '../../../platform/clock';

type CsvRow = readonly (string | number | null)[];

/** Rows per statement while a file is written. */
export const ROWS_OF_A_READ = 500;

/**
 * A file that is written while its rows are read. It starts with a byte order mark, which tells spreadsheets that it is UTF-8.
 * @param read the rows after a place; null for the first ones
 */
export async function* csvFile(
  heads: readonly string[],
  read: (after: string | null) => Promise<{ rows: readonly CsvRow[]; next: string | null }>,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(heads)}`;
  let after: string | null = null;
  do {
    const { rows, next } = await read(after);
    if (rows.length > 0) yield rows.map((row) => csvLine(row)).join('');
    after = next;
  } while (after !== null);
}

/** In Seoul, as spreadsheets read a time. */
export function csvTime(time: string | number): string {
  return timeInSeoul(new Date(time));
}

/**
 * A spreadsheet would execute a cell that begins with one of these characters as a formula, so it gets an apostrophe in
 * front. With East Asian input, full-width signs may count as well.
 */
const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line with its line end. Null is an empty cell. */
export function csvLine(cells: CsvRow): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return '';
  // A number cannot be a formula, and must stay a number.
  if (typeof value === 'number') return String(value);
  const text = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
