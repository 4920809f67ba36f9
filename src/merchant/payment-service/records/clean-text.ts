// Text from the service is shown, logged and stored, so it is cleaned once, when it is received.

const ANSI_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[@-~]`, 'g');
const SPACING_CONTROL = /[\t-\r\p{Zl}\p{Zp}]+/gu;
/**
 * Control and formatting characters (NUL, zero-width, right-to-left marks) and lone surrogates, which JSONB refuses.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Fast path: printable ASCII and Hangul need no cleaning, and a reconciliation reads thousands of records. */
const PLAIN = /^[\x20-\x7e가-힣]*$/;
/** The same without digits, so without card numbers. */
const PLAIN_WORDS = /^[\x20-\x2f\x3a-\x7e가-힣]*$/;
/**
 * 13 or more digits or mask characters, with any separators, in any script. Luhn is not checked: domestic cards fail
 * it.
 */
const CARD_LIKE = /\p{Nd}(?:[\p{Zs}\p{Pd}._/]{0,3}[\p{Nd}*•●]){12,}/gu;
const CARD_POSITION = /[\p{Nd}*•●]/gu;
const VISIBLE_FIRST = 6;
const VISIBLE_LAST = 4;

/** Removes control characters, masks card numbers, cuts to `maxLength`. */
export function cleanText(text: string, maxLength: number): string {
  if (PLAIN_WORDS.test(text)) return cut(text, maxLength);
  // Masked before it is cut, so that no cut leaves half a card number unmasked.
  return cut(maskCardNumbers(printable(text)), maxLength);
}

/** Like `cleanText`, for fields that are long digit strings by nature, such as pg_tid. */
export function cleanIdentifier(text: string, maxLength: number): string {
  return cut(printable(text), maxLength);
}

/**
 * Masks all but the first six and last four digits of what looks like a card number, even if the service has masked it.
 */
function maskCardNumbers(text: string): string {
  return text.replace(CARD_LIKE, (run) => {
    const { length } = run.match(CARD_POSITION) as RegExpMatchArray;
    let position = 0;
    return run.replace(CARD_POSITION, (character) => {
      position += 1;
      return position <= VISIBLE_FIRST || position > length - VISIBLE_LAST ? character : '*';
    });
  });
}

function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(ANSI_SEQUENCE, '').replace(SPACING_CONTROL, ' ').replace(INVISIBLE, '');
}

/** @param text without lone surrogates */
function cut(text: string, maxLength: number): string {
  const kept = text.slice(0, maxLength);
  // A cut within a surrogate pair would leave a lone half.
  return kept === text ? text : kept.replace(/\p{Cs}/u, '');
}
