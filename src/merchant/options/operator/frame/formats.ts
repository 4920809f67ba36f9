// Formats numbers, amounts, times and card companies for the reader's language. Times are in Seoul time, as the service's.

import { SEOUL_OFFSET, timeInSeoul } from '../../../platform/clock';
import { formatMoney, formatsOf, issuerIn } from '../../../platform/http/formats';

export type Formats = {
  number(value: number): string;
  /** Currency null, if the service omits it: only the number. */
  money(amount: number | bigint, currency: string | null): string;
  /** Such as "3 hours ago". */
  relative(time: Date | string): string;
  /** The one form of times on these pages, such as "11. 24. 06:30"; with the year unless it is the current one. */
  time(time: Date | string): string;
  /** The same to the second and with the year, for a history. */
  exact(time: Date | string): string;
  /** Of `YYYY-MM-DD`. */
  day(day: string): string;
  days(from: string, to: string): string;
  /** Of `YYYY-MM`. */
  month(month: string): string;
  iso(time: Date | string): string;
  /** A card company. */
  issuer(name: string): string;
};

const UNITS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function formatsIn(lang: string, now: Date): Formats {
  const formats = formatsOf(lang);
  return {
    number: (value) => formats.number.format(value),
    money: (amount, currency) => formatMoney({ amount, currency }, lang),
    relative(time) {
      const seconds = Math.round((new Date(time).getTime() - now.getTime()) / 1000);
      const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
      return formats.relative.format(Math.trunc(seconds / size), unit);
    },
    time: (time) => (yearOf(time) === yearOf(now) ? formats.short : formats.usual).format(new Date(time)),
    exact: (time) => formats.exact.format(new Date(time)),
    day: (day) => formats.day.format(startOf(day)),
    days: (from, to) => formats.day.formatRange(startOf(from), startOf(to)),
    month: (month) => formats.month.format(startOf(`${month}-01`)),
    iso: (time) => new Date(time).toISOString(),
    issuer: (name) => issuerIn(name, lang),
  };
}

const startOf = (day: string) => new Date(`${day}T00:00:00${SEOUL_OFFSET}`);

const yearOf = (time: Date | string): string => timeInSeoul(new Date(time)).slice(0, 4);

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
