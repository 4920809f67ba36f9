// Rows as CSV (RFC 4180). A spreadsheet takes a text that begins with one of these characters for a formula and would run
// it: such a cell gets an apostrophe before it. Where East Asian text is typed, the full-width signs may count as well.

const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line with its end. Null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return '';
  // A number of ours cannot be a formula, and has to stay a number.
  if (typeof value === 'number') return String(value);
  const text = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
