// Reads a settlement file of the service: a CSV with one row for each payment or refund that was paid out. The document
// describes no such file, so SETTLEMENT_COLUMNS says which column has what.

import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { SettlementColumns } from './settings';

export type SettlementRow = {
  /** Of its first line in the file, from 1. */
  line: number;
  id: string;
  kind: 'payment' | 'refund';
  /** Negative for a refund. */
  amount: number;
  /** As in the file: negative if it is returned. */
  fee: number;
  /** Such as 2026-11-25. */
  paidOutOn: string;
};

/** A row with a cell that cannot be read, and the name of its column. */
export type UnreadableRow = { line: number; column: string; cells: readonly string[] };

export type SettlementFile = {
  rows: SettlementRow[];
  unreadable: UnreadableRow[];
};

export class SettlementFileError extends Error {
  override readonly name = 'SettlementFileError';
}

/**
 * Korean programs often write CSV in EUC-KR (with the extension CP949), newer ones in UTF-8.
 * @throws SettlementFileError if it has neither encoding
 */
export function decodeFile(bytes: Uint8Array): string {
  for (const encoding of ['utf-8', 'euc-kr']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Try the next one.
    }
  }
  throw new SettlementFileError('The file is neither UTF-8 nor EUC-KR text.');
}

/** @throws SettlementFileError if it has no rows, or lacks one of the columns */
export function readSettlementFile(text: string, columns: SettlementColumns): SettlementFile {
  const [head, ...lines] = parseCsv(text);
  if (!head) throw new SettlementFileError('The file is empty.');
  const names = head.cells.map((name) => name.trim());
  const wanted = [
    columns.id.column,
    columns.amount,
    ...columns.fee,
    columns.paidOutOn,
    columns.kind ?? [],
  ].flat();
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new SettlementFileError(
      `The file has no column ${missing.join(', ')}; its columns are ${names.join(', ')}. Set SETTLEMENT_COLUMNS.`,
    );
  const rows: SettlementRow[] = [];
  const unreadable: SettlementFile['unreadable'] = [];
  for (const { line, cells } of lines) {
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
    const row = toRow(line, cell, columns);
    if (typeof row === 'string') unreadable.push({ line, column: row, cells });
    else rows.push(row);
  }
  return { rows, unreadable };
}

/** Returns the name of the first column that cannot be read. */
function toRow(
  line: number,
  cell: (name: string) => string,
  columns: SettlementColumns,
): SettlementRow | string {
  const id = READ_ID[columns.id.kind](cell(columns.id.column));
  if (id === null) return columns.id.column;
  const amount = toAmount(cell(columns.amount));
  if (amount === null || amount === 0) return columns.amount;
  let fee = 0;
  for (const name of columns.fee) {
    const part = toAmount(cell(name) || '0');
    if (part === null) return name;
    fee += part;
  }
  const paidOutOn = toDay(cell(columns.paidOutOn));
  if (paidOutOn === null) return columns.paidOutOn;
  const isRefund = amount < 0 || (columns.kind !== null && REFUND.test(cell(columns.kind)));
  const kind = isRefund ? 'refund' : 'payment';
  return { line, id, kind, amount: isRefund ? -Math.abs(amount) : amount, fee, paidOutOn };
}

/** The id of a row. Null if it cannot be one. */
const READ_ID: Record<SettlementColumns['id']['kind'], (text: string) => string | null> = {
  svc_uid: (text) => (isSvcUid(text) ? text : null),
  merchant_uid: (text) => (isMerchantUid(text) ? text : null),
  pg_tid: (text) => (/^[\x21-\x7e]{1,64}$/.test(text) ? text : null),
  // Spreadsheets drop the zeros at the beginning of its eight digits.
  approval_number: (text) => (/^[0-9A-Za-z]{1,20}$/.test(text) ? text.padStart(8, '0') : null),
};

const REFUND = /취소|환불|cancel|refund/i;

/** A whole number such as `-1,000`, `12000` or `330.00`. Null for anything else. */
function toAmount(text: string): number | null {
  if (!/^-?(\d+|\d{1,3}(,\d{3})+)(\.0+)?$/.test(text)) return null;
  const amount = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(amount) ? amount : null;
}

/**
 * `2026-11-25`, `2026.11.25`, `2026/11/25` and `20261125`, also with a time after it. Null for anything else, and for the
 * year 0, which PostgreSQL does not have.
 */
function toDay(text: string): string | null {
  const [, year, month, day] = /^((?!0000)\d{4})[-./]?(\d\d)[-./]?(\d\d)(?:[ T].*)?$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  const time = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written) ? written : null;
}

type Line = { line: number; cells: string[] };

/**
 * RFC 4180: a cell in quotes may have commas, line ends and doubled quotes. Empty lines are left out.
 * @throws SettlementFileError if a quote is not closed, or text follows it
 */
function parseCsv(text: string): Line[] {
  const lines: Line[] = [];
  let position = 0;
  let line = 1;
  let current: Line = { line, cells: [] };
  while (position < text.length) {
    const { cell, end } =
      text[position] === '"' ? quotedCell(text, position, line) : plainCell(text, position);
    current.cells.push(cell);
    line += cell.split('\n').length - 1;
    position = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (text[end] === ',') continue;
    lines.push(current);
    line += 1;
    current = { line, cells: [] };
  }
  return [...lines, current].filter(({ cells }) => cells.some((cell) => cell !== ''));
}

type Cell = { cell: string; end: number };

function plainCell(text: string, start: number): Cell {
  let end = start;
  while (end < text.length && !isEnd(text, end)) end += 1;
  return { cell: text.slice(start, end), end };
}

function quotedCell(text: string, start: number, line: number): Cell {
  let quote = text.indexOf('"', start + 1);
  while (text[quote + 1] === '"' && quote !== -1) quote = text.indexOf('"', quote + 2);
  if (quote === -1) throw new SettlementFileError(`Line ${line}: a quote is not closed.`);
  const end = quote + 1;
  if (end < text.length && !isEnd(text, end))
    throw new SettlementFileError(`Line ${line}: text follows a cell in quotes.`);
  return { cell: text.slice(start + 1, quote).replaceAll('""', '"'), end };
}

const isEnd = (text: string, position: number) => ',\r\n'.includes(text[position] ?? '');
