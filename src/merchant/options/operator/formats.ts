// Formats numbers, amounts and times for the reader's language. Times are in Seoul time, as the service's.

import { SEOUL_OFFSET } from '../../platform/clock';
import { formatMoney } from '../../platform/http/views';

export type Formats = {
  number(value: number): string;
  /** Currency null, if the service omits it: only the number. */
  money(amount: number | bigint, currency: string | null): string;
  /** Such as "3 hours ago". */
  relative(time: Date | string): string;
  /** To the second. */
  exact(time: Date | string): string;
  /** A day in Seoul such as 2026-11-21, in short form. */
  day(day: string): string;
  iso(time: Date | string): string;
};

const TIME_ZONE = 'Asia/Seoul';

const UNITS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function formatsIn(lang: string, now: Date): Formats {
  const kept = formatsOf(lang);
  return {
    number: (value) => kept.number.format(value),
    money: (amount, currency) => formatMoney({ amount, currency }, lang),
    relative(time) {
      const seconds = Math.round((new Date(time).getTime() - now.getTime()) / 1000);
      const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
      return kept.relative.format(Math.trunc(seconds / size), unit);
    },
    exact: (time) => kept.exact.format(new Date(time)),
    day: (day) => kept.day.format(new Date(`${day}T12:00:00${SEOUL_OFFSET}`)),
    iso: (time) => new Date(time).toISOString(),
  };
}

type Kept = {
  number: Intl.NumberFormat;
  relative: Intl.RelativeTimeFormat;
  exact: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
};

/** Creating a format is expensive, so it is reused. */
const byLanguage = new Map<string, Kept>();

function formatsOf(lang: string): Kept {
  const known = byLanguage.get(lang);
  if (known) return known;
  const made = {
    number: new Intl.NumberFormat(lang),
    relative: new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }),
    exact: new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium', timeZone: TIME_ZONE }),
    day: new Intl.DateTimeFormat(lang, { month: 'short', day: 'numeric', timeZone: TIME_ZONE }),
  };
  byLanguage.set(lang, made);
  return made;
}

const WHOLE = /^[1-9]\d*$/;
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+$/;

/**
 * Parses an amount typed by a person: an integer in the unit of its currency (§2.4), with or without thousands
 * separators. NaN for ambiguous input: `1.000` is a thousand in some countries and one in others. `Number` alone would
 * also accept `1e3` and `0x10`.
 */
export function readAmount(typed: string): number {
  const text = typed.trim();
  if (!WHOLE.test(text) && !GROUPED.test(text)) return NaN;
  const amount = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(amount) ? amount : NaN;
}

/** The same, and `0` is 0. */
export function readAmountOrZero(typed: string): number {
  return typed.trim() === '0' ? 0 : readAmount(typed);
}

/**
 * A spreadsheet would execute a cell that begins with one of these characters as a formula, so it gets an apostrophe in
 * front. With East Asian input, full-width signs may count as well.
 */
const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line of CSV (RFC 4180) with its line end. Null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return '';
  // A number cannot be a formula, and must stay a number.
  if (typeof value === 'number') return String(value);
  const text = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
