// Masks card numbers in text that a caller controls: paths, ids and names of unknown fields. Paths and ids are logged,
// and names of unknown fields are repeated in answers.

/**
 * Masks all but the first six and last four digits of what looks like a card number: 15 or 16 digits with a card
 * prefix, or 13 to 19 with a card prefix and a valid check digit. Domestic cards have no check digit, and no other
 * numbers are that long here. Digits may be grouped, full-width or percent-encoded, also repeatedly. Longer runs, and
 * those that begin with a time or a year, are order ids; 12 digits may be an IPv4 address. A random UUID, such as the id of
 * one of our requests, cards or members, is never changed, whatever digits it has. §4.2 does not say where else a card
 * number may appear.
 */
export function maskCardNumbers(text: string): string {
  // Most texts need no closer check.
  if (text.replace(NEITHER_DIGIT_NOR_PERCENT, '').length < MIN_DIGITS) return text;
  // With a group in the pattern, every second part is a UUID.
  return text
    .split(UUID)
    .map((part, i) => (i % 2 === 1 ? part : maskPart(part)))
    .join('');
}

function maskPart(text: string): string {
  const written = text.includes('%') ? (text.match(CHARACTER) ?? []) : Array.from(text);
  const read = written.map(decode);
  let masked = '';
  for (let at = 0; at < written.length; at += 1) {
    const card = findCard(read, at);
    if (card === null) masked += written[at];
    else {
      const { digits, last } = card;
      masked += `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
      at = last;
    }
  }
  return masked;
}

/**
 * Version 4 (RFC 9562), with or without hyphens, and not within a longer word: no card number is written so. All digits
 * without hyphens are a run that is too long for one.
 */
const UUID =
  /(?<![\da-z])([\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|[\da-f]{12}4[\da-f]{3}[89ab][\da-f]{15})(?![\da-z])/i;

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** 3 to 6, 9 for domestic cards, 22 to 27. */
const BEGINS_AS_CARD = /^(?:[3-69]|2(?:$|[2-7]))/;
const MAX_SEPARATORS = 3;
const NEITHER_DIGIT_NOR_PERCENT = /[^\d%\uff10-\uff19]/g;
const SEPARATOR = /[\s\p{Pd}\p{Cf}._/+]/u;
/** One character, literal or as percent-encoded UTF-8; `%25` is an encoded percent sign. */
const CHARACTER =
  /%(?:25)*(?:[0-7][\da-f]|[cd][\da-f]%(?:25)*[89ab][\da-f]|e[\da-f](?:%(?:25)*[89ab][\da-f]){2})|[^]/giu;

function decode(written: string): string {
  if (written.length === 1) return halfWidth(written);
  try {
    return halfWidth(decodeURIComponent(written.replace(/%(?:25)+/gi, '%')));
  } catch {
    return written;
  }
}

/** Korean keyboards can type full-width digits and signs. */
function halfWidth(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0xff00 && code < 0xff5f ? String.fromCharCode(code - 0xfee0) : character;
}

/** The longest card number that begins at this character. It begins and ends at the border of a digit group. */
function findCard(read: readonly string[], start: number): { digits: string; last: number } | null {
  if (!isDigit(read[start]) || isDigit(read[start - 1])) return null;
  let digits = '';
  let separators = 0;
  let found = null;
  for (let at = start; at < read.length; at += 1) {
    const character = read[at] as string;
    if (isDigit(character)) {
      digits += character;
      separators = 0;
      if (digits.length > MAX_DIGITS || (digits.length <= 2 && !BEGINS_AS_CARD.test(digits))) return found;
      if (!isDigit(read[at + 1]) && isCard(digits)) found = { digits, last: at };
    } else {
      separators += 1;
      if (separators > MAX_SEPARATORS || !SEPARATOR.test(character)) return found;
    }
  }
  return found;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isCard(digits: string): boolean {
  if (digits.length < MIN_DIGITS) return false;
  return digits.length === 15 || digits.length === 16 || hasCheckDigit(digits);
}

/** Luhn (ISO/IEC 7812-1). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.at(-1 - at));
    const counted = at % 2 === 0 ? digit : 2 * digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
