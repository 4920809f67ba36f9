// Formats times, amounts and states in the reader's language. Times are Korean time, as at the service and on the
// merchant's pages, and in the same form.

import type { Locale } from '../locales/ko';

export type TimeText = { iso: string; exact: string; relative: string };

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

type Formats = { exact: Intl.DateTimeFormat; relative: Intl.RelativeTimeFormat };
/** Cached, because creating a formatter takes as long as a thousand uses. */
const formats = new Map<string, Formats>();

function formatsOf({ lang }: Locale): Formats {
  const known = formats.get(lang);
  if (known) return known;
  const exact = new Intl.DateTimeFormat(lang, {
    year: 'numeric',
    month: lang === 'ko' ? 'numeric' : 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: 'Asia/Seoul',
  });
  const made = { exact, relative: new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }) };
  formats.set(lang, made);
  return made;
}

/** @param seconds UNIX seconds, as `now` is */
export function timeText(seconds: number, now: number, t: Locale): TimeText {
  const { exact, relative } = formatsOf(t);
  const date = new Date(seconds * 1000);
  const distance = seconds - now;
  const [unit, size] = UNITS.find((each) => Math.abs(distance) >= each[1]) ?? (['second', 1] as const);
  return {
    iso: date.toISOString(),
    exact: exact.format(date),
    relative: relative.format(Math.trunc(distance / size), unit),
  };
}

/** @param amount in the unit that the document uses for the currency (§2.4) */
export function amountText(amount: number, currency: string, { lang }: Locale): string {
  const number = amount.toLocaleString(lang);
  if (currency !== 'KRW') return `${number} ${currency}`;
  return lang === 'ko' ? `${number}원` : `₩${number}`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** One line of the stream, which opens. */
export type Item = {
  id: string;
  title: string;
  state: { text: string; tone: Tone };
  at: TimeText;
  note: string;
  parts: { title: string; text: string; curl: string | null; answer: string | null }[];
};

const TONES: Record<string, Tone> = {
  paid: 'good',
  executed: 'good',
  failed: 'bad',
  ready: 'warn',
  scheduled: 'warn',
};

export function stateOf(status: string, { console: t }: Locale): { text: string; tone: Tone } {
  return {
    text: (t.statuses as Record<string, string>)[status] ?? status,
    tone: TONES[status] ?? 'plain',
  };
}

/** Korean time for an input of type `datetime-local`. */
export const localInput = (seconds: number) =>
  new Date((seconds + 9 * 3600) * 1000).toISOString().slice(0, 16);
