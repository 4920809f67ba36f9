// A caller can put a card number where none belongs: into a path, into an id, or into the name of a field. Paths and ids
// are logged, and names of unknown fields are answered, so the number is masked there.

/**
 * At most the first six and the last four digits of what looks like a card number stay: 15 or 16 digits that begin as cards
 * do, or 13 to 19 that begin so and have the check digit of one. Domestic cards lack it, and no others are that long here.
 * The digits may be in groups, in full width or percent-encoded, also more than once. Longer runs, and those that begin with
 * a time or a year, are ids of orders; 12 digits may be an IPv4 address. §4.2 says nothing about where else a card number
 * may stand.
 */
export function maskCardNumbers(text: string): string {
  if (!mayHoldCard(text)) return text;
  const written = ENCODED.test(text) ? (text.match(CHARACTER) ?? []) : text;
  const read = typeof written === 'string' ? written.replace(FULL_WIDTH, halfWidth) : written.map(decode);
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

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** 3 to 6, 9 for domestic cards, 22 to 27. */
const BEGINS_AS_CARD = /^(?:[3-69]|2(?:$|[2-7]))/;
const GROUP_OF_CARD = /(?<!\d)[2-69]/;
const MAX_SEPARATORS = 3;
/** Characters of more than one unit, and percents: everything else is read unit by unit. */
const ENCODED = /[%\ud800-\udfff]/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const SEPARATOR = /^[\s\p{Pd}\p{Cf}._/+]$/u;
/** One character, as it is or as UTF-8 in percents; `%25` is a percent that was encoded itself. */
const CHARACTER =
  /%(?:25)*(?:[0-7][\da-f]|[cd][\da-f]%(?:25)*[89ab][\da-f]|e[\da-f](?:%(?:25)*[89ab][\da-f]){2})|[^]/giu;

/** Most texts need no closer look, and each notification has some. */
function mayHoldCard(text: string): boolean {
  let digits = 0;
  let isPlain = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 126 || code === PERCENT) isPlain = false;
    // A digit of full width, or what encodes one, counts once at least.
    if ((code >= ZERO && code <= NINE) || code > 126) digits += 1;
  }
  return digits >= MIN_DIGITS && (!isPlain || GROUP_OF_CARD.test(text));
}

const PERCENT = 0x25;
const ZERO = 0x30;
const NINE = 0x39;

function decode(written: string): string {
  if (written.charCodeAt(0) !== PERCENT || written.length === 1) return halfWidth(written);
  try {
    return halfWidth(decodeURIComponent(written.replace(/%(?:25)+/gi, '%')));
  } catch {
    return written;
  }
}

/** Full-width digits and signs are typed with Korean keyboards. */
function halfWidth(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0xff00 && code < 0xff5f ? String.fromCharCode(code - 0xfee0) : character;
}

/** The longest card number that begins at this character, which begins a group of digits, and ends with a group. */
function findCard(read: ArrayLike<string>, start: number): { digits: string; last: number } | null {
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
      if (separators > MAX_SEPARATORS || !isSeparator(character)) return found;
    }
  }
  return found;
}

/** Most are one of these two. */
function isSeparator(character: string): boolean {
  return character === ' ' || character === '-' || SEPARATOR.test(character);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character.length === 1 && character >= '0' && character <= '9';
}

function isCard(digits: string): boolean {
  if (digits.length < MIN_DIGITS) return false;
  return digits.length === 15 || digits.length === 16 || hasCheckDigit(digits);
}

/** Luhn (ISO/IEC 7812-1). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - ZERO;
    const counted = at % 2 === 0 ? digit : 2 * digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
