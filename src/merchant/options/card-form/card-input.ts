// Parses a typed card into the card input of §2.2, or one problem per field. The card form and key-in payments (§4.3)
// share these rules. Problems contain no values.

import type { CardInput, KeyInCard } from '../../payment-service/billing-keys';
import { dayInSeoul } from '../../platform/clock';

/** Names as in §2.2. */
export const CARD_FIELDS = ['card_number', 'expiry', 'birth', 'pwd_2digit'] as const;
export type CardField = (typeof CARD_FIELDS)[number];
/** The card form has a text for each. */
type CardProblem =
  | 'card_number_missing'
  | 'card_number_digits'
  | 'card_number_length'
  | 'expiry_missing'
  | 'expiry_format'
  | 'expiry_past'
  | 'expiry_too_far'
  | 'birth_missing'
  | 'birth_format'
  | 'birth_date'
  | 'birth_resident_number'
  | 'birth_business_number'
  | 'pwd_2digit_missing'
  | 'pwd_2digit_format';
type CardProblems = Partial<Record<CardField, CardProblem>>;

/** For the API, after the name of the field. */
export const CARD_PROBLEM_MESSAGES: Record<CardProblem, string> = {
  card_number_missing: 'is required',
  card_number_digits: 'must be digits, which may be separated by spaces, dots or dashes',
  card_number_length:
    'must have 16 digits (§2.2): American Express (15), Diners Club (14) and cards of 19 digits are not taken',
  expiry_missing: 'is required',
  expiry_format: 'must be a year and a month, such as 2037-12',
  expiry_past: 'is in the past',
  expiry_too_far: 'is more than 20 years ahead',
  birth_missing: 'is required',
  birth_format: 'must be a date as YYMMDD, or the ten digits of a business number',
  birth_date: 'is no date',
  birth_resident_number: 'must be the date only, not the resident registration number',
  birth_business_number: 'is no valid business number',
  pwd_2digit_missing: 'is required',
  pwd_2digit_format: 'must be two digits',
};

/**
 * Other fields are ignored. A duplicate form field arrives as an array and is refused.
 * Separators are accepted if their meaning is clear. Only ASCII digits are accepted; the page's script converts
 * full-width ones.
 * A number that fails Luhn is accepted, because the document has no such rule. The page only warns.
 * @param now decides which month is past, in Korea
 */
export function parseCardInput(
  fields: Partial<Record<CardField, unknown>>,
  now: Date,
): { card: CardInput } | { problems: CardProblems } {
  const values: Partial<Record<CardField, string>> = {};
  const problems: CardProblems = {};
  for (const name of CARD_FIELDS) {
    const parsed = readField(fields[name], RULES[name], now);
    if ('problem' in parsed) problems[name] = parsed.problem;
    else values[name] = parsed.value;
  }
  const { card_number: cardNumber, expiry, birth, pwd_2digit: pwd2digit } = values;
  return cardNumber && expiry && birth && pwd2digit
    ? { card: { cardNumber, expiry, birth, pwd2digit } }
    : { problems };
}

/** The same for a key-in payment, where the last two may be absent (§4.3). */
export function parseKeyInCard(
  fields: Partial<Record<CardField, unknown>>,
  now: Date,
): { card: KeyInCard } | { problems: CardProblems } {
  // Any valid value passes the checks in the place of an absent one.
  const { birth = '000101', pwd_2digit = '00' } = fields;
  const parsed = parseCardInput({ ...fields, birth, pwd_2digit }, now);
  if ('problems' in parsed) return parsed;
  const { card } = parsed;
  return {
    card: {
      cardNumber: card.cardNumber,
      expiry: card.expiry,
      ...(fields.birth !== undefined && { birth: card.birth }),
      ...(fields.pwd_2digit !== undefined && { pwd2digit: card.pwd2digit }),
    },
  };
}

type Parsed = { value: string } | { problem: CardProblem };
type Rule = {
  missing: CardProblem;
  malformed: CardProblem;
  parse: (text: string, now: Date) => Parsed;
};

const RULES: Record<CardField, Rule> = {
  card_number: { missing: 'card_number_missing', malformed: 'card_number_digits', parse: parseCardNumber },
  expiry: { missing: 'expiry_missing', malformed: 'expiry_format', parse: parseExpiry },
  birth: { missing: 'birth_missing', malformed: 'birth_format', parse: parseBirth },
  pwd_2digit: {
    missing: 'pwd_2digit_missing',
    malformed: 'pwd_2digit_format',
    parse: parsePasswordDigits,
  },
};

/** Longer than any field, including separators. */
const LONGEST_FIELD = 32;

function readField(field: unknown, { missing, malformed, parse }: Rule, now: Date): Parsed {
  if (field === undefined) return { problem: missing };
  if (typeof field !== 'string' || field.length > LONGEST_FIELD) return { problem: malformed };
  // Only spaces: `trim` would also remove invisible characters, which must be reported.
  const trimmed = field.replace(/^ +| +$/g, '');
  return trimmed === '' ? { problem: missing } : parse(trimmed, now);
}

function parseCardNumber(text: string): Parsed {
  if (/[^0-9 .-]/.test(text)) return { problem: 'card_number_digits' };
  const digits = text.replace(/[ .-]/g, '');
  if (digits.length !== 16) return { problem: 'card_number_length' };
  return { value: digits.replace(/(....)(?=.)/g, '$1-') };
}

const MAX_YEARS_AHEAD = 20;

const EXPIRY_FORMATS = [
  /^(?<year>[0-9]{4})[-./](?<month>[0-9]{2})$/,
  /^(?<month>[0-9]{1,2}) {0,3}[-./] {0,3}(?<year>[0-9]{2}|[0-9]{4})$/,
  /^(?<month>[0-9]{2})(?<year>[0-9]{2})$/,
];

/**
 * Accepts `1230`, `12/30`, `12 / 2030`, `2030-12`, `1/30`, and dots or dashes instead of the slash. Without a
 * four-digit year the month comes first, as on a card. A card is valid until the end of its month in Korea, so the
 * month is compared in Korean time.
 */
function parseExpiry(text: string, now: Date): Parsed {
  const written = EXPIRY_FORMATS.map((format) => format.exec(text)?.groups).find((groups) => groups);
  const month = Number(written?.['month']);
  const year = Number(written?.['year']?.padStart(4, '20'));
  if (!(month >= 1 && month <= 12)) return { problem: 'expiry_format' };
  const monthsAhead = year * 12 + month - monthInKorea(now);
  if (monthsAhead < 0) return { problem: 'expiry_past' };
  if (monthsAhead > MAX_YEARS_AHEAD * 12) return { problem: 'expiry_too_far' };
  return { value: `${year}-${String(month).padStart(2, '0')}` };
}

function monthInKorea(now: Date): number {
  const [year, month] = dayInSeoul(now).split('-');
  return Number(year) * 12 + Number(month);
}

/** With or without the century, and with the same separator twice or none. */
const BIRTH_DATE =
  /^(?<century>19|20)?(?<year>[0-9]{2})(?<between>[-./ ]?)(?<month>[0-9]{2})\k<between>(?<day>[0-9]{2})$/;
const BUSINESS_NUMBER = /^[0-9]{3}[-. ]?[0-9]{2}[-. ]?[0-9]{5}$/;
/** Of a person in Korea. Nobody may ask for it, and some type it in place of the date with which it begins. */
const RESIDENT_NUMBER = /^[0-9]{6}[-. ]?[0-9]{7}$/;

/**
 * A person has a date of birth, a company a business number. The digits decide which it is, not the form's radio
 * button.
 */
function parseBirth(text: string): Parsed {
  const { century, year = '', month = '', day = '' } = BIRTH_DATE.exec(text)?.groups ?? {};
  if (year !== '')
    return isDay(`${century ?? '20'}${year}`, month, day)
      ? { value: year + month + day }
      : { problem: 'birth_date' };
  if (RESIDENT_NUMBER.test(text)) return { problem: 'birth_resident_number' };
  if (!BUSINESS_NUMBER.test(text)) return { problem: 'birth_format' };
  const digits = text.replace(/[^0-9]/g, '');
  return isBusinessNumber(digits) ? { value: digits } : { problem: 'birth_business_number' };
}

/**
 * Whether the day exists. Without a century, 20 is assumed. 2000 is a leap year, so `000229` passes and `19000229` does
 * not.
 */
function isDay(year: string, month: string, day: string): boolean {
  // A day that does not exist moves the date into another month.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1;
}

const BUSINESS_NUMBER_WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5];

/** Whether the last of ten digits is the check digit of the Korean tax office (§2.2). */
function isBusinessNumber(digits: string): boolean {
  const numbers = [...digits].map(Number);
  const weighted = BUSINESS_NUMBER_WEIGHTS.reduce(
    (sum, weight, index) => sum + weight * (numbers[index] ?? 0),
    0,
  );
  const sum = weighted + Math.floor(((numbers[8] ?? 0) * 5) / 10);
  return (10 - (sum % 10)) % 10 === numbers[9];
}

function parsePasswordDigits(text: string): Parsed {
  return /^[0-9]{2}$/.test(text) ? { value: text } : { problem: 'pwd_2digit_format' };
}
