// Formats numbers, amounts, times and card companies for the reader's language. Times are in Seoul time, as the service's.

import { SEOUL_OFFSET, timeInSeoul } from '../../../platform/clock';
import { formatMoney, formatsOf, issuerIn } from '../../../platform/http/formats';

export type Formats = ReturnType<typeof formatsIn>;

const UNITS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function formatsIn(lang: string, now: Date) {
  const formats = formatsOf(lang);
  return {
    number: (value: number) => formats.number.format(value),
    money: (amount: number | bigint, currency: string | null) => formatMoney({ amount, currency }, lang),
    /** Such as "3 hours ago". */
    relative(time: Date | string) {
      const seconds = Math.round((new Date(time).getTime() - now.getTime()) / 1000);
      const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
      return formats.relative.format(Math.trunc(seconds / size), unit);
    },
    /** The one form of times on these pages, such as "11. 24. 06:30"; with the year unless it is the current one. */
    time: (time: Date | string) =>
      (yearOf(time) === yearOf(now) ? formats.short : formats.usual).format(new Date(time)),
    /** The same to the second and with the year, for a history. */
    exact: (time: Date | string) => formats.exact.format(new Date(time)),
    /** Of `YYYY-MM-DD`. */
    day: (day: string) => formats.day.format(startOf(day)),
    days: (from: string, to: string) => formats.day.formatRange(startOf(from), startOf(to)),
    /** Of `YYYY-MM`. */
    month: (month: string) => formats.month.format(startOf(`${month}-01`)),
    iso: (time: Date | string) => new Date(time).toISOString(),
    /** A card company. */
    issuer: (name: string) => issuerIn(name, lang),
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
