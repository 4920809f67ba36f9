// Searches for values that must not appear, in every encoding that programs use: plain, digits only, URL-encoded, base64 at each
// of its three alignments, and hexadecimal.

export type Canary = {
  /** The name for the report; the value itself is not printed. */
  name: string;
  /** Spellings of the value. Short ones are found as whole words only. */
  values: readonly string[];
};

export type Leak = { place: string; canary: string; around: string };

/** Below this length a value cannot be distinguished from digits of a time or an id. */
const SHORT = 8;

/** Finds every canary in a text, once for each of its spellings. */
export function findLeaks(place: string, text: string, canaries: readonly Canary[]): Leak[] {
  const haystacks = [text, withoutGroups(text)];
  return canaries.flatMap(({ name, values }) =>
    spellingsOf(values).flatMap((spelling) => {
      const hit = haystacks
        .map((each) => ({ each, index: indexOf(each, spelling) }))
        .find(({ index }) => index >= 0);
      return hit ? [leakAt(place, name, hit.each, hit.index)] : [];
    }),
  );
}

/** Fails if a text contains one of these values, and prints the value. */
export function expectNowhere(text: string, values: readonly string[]): void {
  expect(values.filter((value) => findLeaks('', text, [{ name: '', values: [value] }]).length > 0)).toEqual(
    [],
  );
}

/** Searches for values of two digits, only beside their name or as a whole value. */
export function findShortLeaks(place: string, text: string, name: string, value: string): Leak[] {
  const whole = new RegExp(
    `["'\\\\]${value}\\\\?["']|=${value}(?![\\w.])|%3D${value}(?!\\w)|pwd_?2?_?digit[^\\w]{1,6}${value}(?!\\d)`,
    'i',
  );
  const index = text.search(whole);
  return index < 0 ? [] : [leakAt(place, name, text, index)];
}

/** Searches bytes, such as a data file of PostgreSQL. Short values are left out, because bytes have no words. */
export function findLeaksInBytes(place: string, bytes: Buffer, canaries: readonly Canary[]): Leak[] {
  return canaries.flatMap(({ name, values }) =>
    spellingsOf(values)
      .filter((spelling) => spelling.length > SHORT && bytes.includes(spelling))
      .map(() => ({ place, canary: name, around: '' })),
  );
}

function leakAt(place: string, canary: string, text: string, index: number): Leak {
  return { place, canary, around: text.slice(Math.max(0, index - 60), index).replace(/\s+/g, ' ') };
}

/** Converts full-width digits to plain ones, and joins grouped digits to one number. */
function withoutGroups(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/%20|%2D|%2F/gi, ' ')
    .replace(/(\d)[ ./_+-]{1,3}(?=\d)/g, '$1');
}

const spellingsOf = (values: readonly string[]) => [...new Set(values.flatMap(writtenByPrograms))];

function writtenByPrograms(value: string): string[] {
  const digits = value.replace(/\D/g, '');
  const isNumber = digits.length >= 6 && /^[\d /.-]+$/.test(value);
  const plain = isNumber ? [value, digits] : [value];
  return [
    ...plain,
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    ...plain.flatMap(base64Of),
    ...plain.map((each) => Buffer.from(each).toString('hex')),
  ];
}

/**
 * Base64 writes three bytes as four characters, so a value inside a longer text has one of three spellings. The
 * characters at its ends also depend on its neighbours, and are left out.
 */
function base64Of(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const first = [0, 2, 3][before] as number;
    const last = Math.floor((bytes.length * 8) / 6);
    const standard = bytes.toString('base64').slice(first, last);
    return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function indexOf(text: string, needle: string): number {
  if (needle.length >= SHORT) return text.indexOf(needle);
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
    if (!/[\w.]/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + needle.length] ?? ' ')) return at;
  return -1;
}
