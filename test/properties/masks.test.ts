// Stored texts and records of the service: no card number at any depth, no invisible characters, limited length.

import fc from 'fast-check';
import { newChargeId } from '../../src/merchant/core/charges/charge-id';
import { cleanIdentifier, cleanText } from '../../src/merchant/payment-service/records/clean-text';
import { toRawRecord, type Json } from '../../src/merchant/payment-service/records/raw-record';
import { maskCardNumbers } from '../../src/merchant/platform/http/mask-card-numbers';
import { holds } from '../support/property';

const digits = fc.array(fc.nat(9), { minLength: 13, maxLength: 19 });
const SEPARATORS = ['', '-', ' ', '.', '/', '_', '\u200b', '\n', '\u00a0', '–', ' - ', '\u202e'];
/** One after each digit, as many as the longest number has. */
const separators = fc.array(fc.constantFrom(...SEPARATORS), { minLength: 19, maxLength: 19 });
/** A card number in any spelling. */
const card = fc
  .tuple(digits, separators, fc.constantFrom(0x30, 0xff10, 0x660))
  .map(([numbers, between, zero]) =>
    numbers.map((each, i) => String.fromCodePoint(zero + each) + between[i]).join(''),
  );
const wild = fc.string({ unit: 'binary' });
const odd = fc.constantFrom('\u001b[31m', '한도초과', '\ud800', '\r\n', '•', '*');
const messy = fc
  .array(fc.oneof(wild, fc.string(), card, odd), { maxLength: 6 })
  .map((parts) => parts.join(''));
/** Digits of any script. */
const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0;
const withoutDigits = (text: string) => text.replace(/[\p{Nd}*•●]/gu, '');

test('at most ten digits of a card number remain, in any spelling and after any cut', () => {
  const around = fc.string().map(withoutDigits);
  holds(
    fc.property(card, around, around, fc.integer({ min: 1, max: 100 }), (number, left, right, cutAt) => {
      // A letter between them: digits around the number would be a longer number.
      const text = `${left}x${number}x${right}`;
      expect(countDigits(cleanText(text, 10_000))).toBeLessThanOrEqual(10);
      expect(countDigits(cleanText(text, cutAt))).toBeLessThanOrEqual(10);
    }),
  );
});

test('a clean text is not longer than requested, has no invisible characters, can be stored as JSONB, and does not change when it is cleaned again', () => {
  holds(
    fc.property(messy, fc.integer({ min: 1, max: 300 }), (text, length) => {
      for (const clean of [cleanText, cleanIdentifier]) {
        const once = clean(text, length);
        expect(once.length).toBeLessThanOrEqual(length);
        expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(Buffer.from(JSON.stringify(once)).toString())).toBe(once);
        expect(clean(once, length)).toBe(once);
      }
    }),
  );
});

test('a text without digits or control characters does not change, nor does a run of fewer than 13 digits', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abc XYZ,.-_/가힣🙂é<>&"\'') });
  const number = fc.stringMatching(/^[0-9]{1,12}$/).map((digits) => `tel ${digits} end`);
  holds(fc.property(fc.oneof(text, number), (each) => expect(cleanText(each, 1000)).toBe(each)));
});

/** The last digit of a card number, by Luhn. */
function withCheckDigit(digitsOf: string): string {
  const sum = [...digitsOf].reverse().reduce((total, digit, at) => {
    const twice = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${digitsOf}${(10 - (sum % 10)) % 10}`;
}

/** Domestic cards of 15 and 16 digits need not have a check digit; those of other lengths have one. */
const cardDigits = fc.oneof(
  fc.stringMatching(/^([3-69][0-9]|2[2-7])[0-9]{13,14}$/),
  fc.stringMatching(/^([3-69][0-9]|2[2-7])[0-9]{10,16}$/).map(withCheckDigit),
);
const PLAIN_SEPARATORS = ['', '', ' ', '-', '.', '_', '+', '/', ' - ', '–'];
const callersSeparator = fc.constantFrom(
  ...PLAIN_SEPARATORS,
  ...PLAIN_SEPARATORS.map(encodeURIComponent),
  ...['%2D', '%2d', '%252D', '%2F', '%20', '%C2%A0'],
);
/** The text before each digit except the first one, and whether the digit is percent-encoded. */
const spellings = fc.array(fc.tuple(callersSeparator, fc.boolean()), { minLength: 19, maxLength: 19 });
/** In groups or not, as a caller may write it. */
const callersCard = fc.tuple(cardDigits, spellings).map(([number, spelled]) => ({
  number,
  written: [...number]
    .map((digit, i) => {
      const [between, isEncoded] = spelled[i] as [string, boolean];
      return (i === 0 ? '' : between) + (isEncoded ? `%3${digit}` : digit);
    })
    .join(''),
}));

test('at most ten digits of a card number in a path remain, and the rest of the path does not change', () => {
  const around = fc.constantFrom('', '/', '/api/orders/', 'card%20', '"', ': ');
  const behind = fc.constantFrom('', '/', '/close', '"', '?a=b', '%2Fclose', '%zz');
  holds(
    fc.property(callersCard, around, behind, ({ number, written }, left, right) => {
      const masked = maskCardNumbers(left + written + right);
      const stars = '*'.repeat(number.length - 10);
      expect(masked).toBe(`${left}${number.slice(0, 6)}${stars}${number.slice(-4)}${right}`);
      expect(maskCardNumbers(masked)).toBe(masked);
    }),
  );
});

test('a run of fewer than 13 or more than 19 digits in a path, a time and an address do not change', () => {
  const id = fc.stringMatching(/^([0-9]{1,12}|[0-9]{20,30})$/);
  const date = fc.date({ min: new Date('2015-01-01'), max: new Date('2037-01-01'), noInvalidDate: true });
  const time = date.chain((at) => {
    const texts = ['', '000', '000000'].map((zeros) => `${at.getTime()}${zeros}`);
    return fc.constantFrom(...texts, at.toISOString(), at.toISOString().replace(/\D/g, ''));
  });
  holds(
    fc.property(fc.oneof(id, time, fc.ipV4(), fc.ipV6()), (text) => {
      for (const path of [text, `/api/orders/${text}`, `/api/orders/${text}/close`])
        expect(maskCardNumbers(path)).toBe(path);
    }),
  );
});

/** Digits and hexadecimal letters of a UUID, as the random bytes might be: many of them have no letter but the version. */
const nibble = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...'0123456789') },
  fc.constantFrom(...'abcdef'),
);
const uuid = fc.array(nibble, { minLength: 32, maxLength: 32 }).map((nibbles) => {
  const [a, b, c, d, e] = [0, 8, 12, 16, 20].map((from, i) =>
    nibbles.slice(from, [8, 12, 16, 20, 32][i]).join(''),
  );
  return [a, b, `4${c?.slice(1)}`, `8${d?.slice(1)}`, e].join('-');
});

test('no generated id is ever masked, alone, in a path or in a sentence', () => {
  const ids = fc.oneof(
    uuid,
    uuid.map((id) => `card_${id.replaceAll('-', '')}`),
    uuid.map((id) => `member_${id.replaceAll('-', '')}`),
    fc.constant(null).map(() => newChargeId()),
    fc.integer({ min: 1, max: 99_999_999 }).map((id) => `20261122113409123456:${id}`),
  );
  holds(
    fc.property(ids, (id) => {
      for (const text of [id, `/api/keys/${id}/remove`, `/operator/keys?customer_uid=${id}`, `the id ${id}.`])
        expect(maskCardNumbers(text)).toBe(text);
    }),
  );
});

test('a card number beside letters, or beside an id, is masked', () => {
  const before = fc.constantFrom('card', 'card_', 'no', 'x', 'abc-', 'ID:', '카드');
  holds(
    fc.property(
      cardDigits,
      before,
      fc.constantFrom('', 'x', '_end', ' won', '원'),
      uuid,
      (number, left, right, id) => {
        const masked = `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
        expect(maskCardNumbers(left + number + right)).toBe(left + masked + right);
        expect(maskCardNumbers(`${id} ${left}${number}`)).toBe(`${id} ${left}${masked}`);
      },
    ),
  );
});

const json = fc
  .jsonValue({ maxDepth: 12, stringUnit: 'binary' })
  // -0 becomes 0 in it.
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
const name = fc.oneof(
  fc.constantFrom('note', 'card_number', 'custom_data', '__proto__', 'constructor', 'prototype'),
  fc.constantFrom('__pro\u200bto__', 'con\u0000structor', '\ufeffprototype', '__proto__\ud800'),
  wild,
);
/** An object as JSON.parse makes it: `__proto__` is a name of its own in it. */
const objectOf = (values: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(name, values), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as object);
const record = objectOf(fc.oneof(json, objectOf(json), fc.array(objectOf(json), { maxLength: 3 })));

test('a stored record is JSON of at most eight levels without prototype fields, and does not change when it is stored again', () => {
  holds(
    fc.property(record, (each) => {
      const kept = toRawRecord(each);
      expect(objectsIn(kept).filter(reachesIntoPrototypes)).toEqual([]);
      expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
      expect(depthOf(kept)).toBeLessThanOrEqual(8);
      expect(toRawRecord(kept)).toEqual(kept);
    }),
  );
});

test('a stored record has no card number, as a text or a number, in any field except identifiers', () => {
  const value = fc.oneof(card, fc.integer({ min: 1e12, max: Number.MAX_SAFE_INTEGER }));
  const wraps = fc.array(fc.constantFrom('list', 'note', 'card_number', 'pan', 'status'), { maxLength: 7 });
  const hidden = fc
    .tuple(value, wraps)
    .map(([each, around]) =>
      around.reduce<unknown>((inner, wrap) => (wrap === 'list' ? [inner] : { [wrap]: inner }), each),
    );
  holds(
    fc.property(hidden, (each) => {
      expect(countDigits(JSON.stringify(toRawRecord({ field: each })))).toBeLessThanOrEqual(10);
    }),
  );
});

test('every stored record is below its size limit as JSON', () => {
  const names = Array.from({ length: 1_200 }, (_, i) => `${'n'.repeat(50)}${i}`);
  const item = fc.oneof(fc.constantFrom<Json>(null, true, 0, '', '"', '\\', {}, []), fc.string(), json);
  const named = fc
    .tuple(item, fc.nat(names.length))
    .map(([each, count]) => Object.fromEntries(names.slice(0, count).map((key) => [key, each])));
  const listed = fc.tuple(item, fc.nat(14_000)).map(([each, count]) => ({ list: Array(count).fill(each) }));
  holds(
    fc.property(fc.oneof({ weight: 4, arbitrary: named }, listed), (large) => {
      expect(JSON.stringify(toRawRecord(large)).length).toBeLessThanOrEqual(64_000);
    }),
    0.2,
  );
});

function objectsIn(value: Json): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];
}

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

function reachesIntoPrototypes(object: object): boolean {
  return (
    Object.getPrototypeOf(object) !== Object.prototype ||
    FORBIDDEN.some((name) => Object.hasOwn(object, name))
  );
}

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
