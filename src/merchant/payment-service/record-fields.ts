// Field types of the records of §2. What we rely on is strict; the rest is read kindly, because answers gained fields
// and spellings over the years and strict parsers broke in production.
import { z } from 'zod';
import { cleanIdentifier, cleanText } from './clean-text';

const MAX_UNIX_SECONDS = 253_402_300_799; // the last second of the year 9999

/** A field that may be missing and may hold whatever it likes. */
export const anything = z.unknown().optional();

/** A whole number from 0 to 2^53 - 1. `1000.0` and `1e3` are that in JSON; "1000", null, 0.5 and -1 are not. */
export const amount = z
  .int()
  .min(0)
  .transform((value) => value + 0); // -0 is 0

/** cancel_amount and the like: absent or null is 0, anything else is an amount. */
export const amountOrZero = amount.nullish().transform((value) => value ?? 0);

/** Three letters, in capitals; null where there is none, which is for the judgement to hold against it (§2.4: optional). */
export const currency = anything.transform((value) =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null,
);

/** Free text, card numbers masked; null for an empty one. */
export const text = (maxLength: number) => anything.transform((value) => toText(value, maxLength, cleanText));

/** Text that may be a long run of digits, such as pg_tid. */
export const code = (maxLength: number) =>
  anything.transform((value) => toText(value, maxLength, cleanIdentifier));

/** card_number: masked by the service and masked again by us, because some return too many digits. */
export const maskedCardNumber = anything.transform((value) =>
  toText(typeof value === 'string' ? value.replace(/x/gi, '*') : value, 32, cleanText),
);

/** A link that a page may show: http or https, and short enough to be kept whole. */
export const link = anything.transform((value) => {
  const url = toText(value, 501, cleanIdentifier);
  return url !== null && url.length <= 500 && /^https?:\/\/[^\s"'<>]+$/i.test(url) ? url : null;
});

/** UNIX seconds as a number or as text (§2.4 says both); null for 0, which means "never", and for anything odd. */
export const timestamp = anything.transform(toDate);

function toText(value: unknown, maxLength: number, clean: typeof cleanText): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return clean(String(value), maxLength).trim() || null;
}

function toDate(value: unknown): Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const seconds = Math.floor(Number(value));
  return seconds > 0 && seconds <= MAX_UNIX_SECONDS ? new Date(seconds * 1000) : null;
}
