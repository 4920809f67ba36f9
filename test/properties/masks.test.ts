// What is kept of a text or record of the service: no card number in any depth, nothing invisible, never too long.

import fc from 'fast-check';
import { maskCardNumbers } from '../../src/merchant/http/mask-card-numbers';
import { cleanIdentifier, cleanText } from '../../src/merchant/payment-service/records/clean-text';
import { toRawRecord, type Json } from '../../src/merchant/payment-service/records/raw-record';
import { holds } from '../support/property';

const digits = fc.array(fc.nat(9), { minLength: 13, maxLength: 19 });
const separator = fc.constantFrom(
  '',
  '-',
  ' ',
  '.',
  '/',
  '_',
  '\u200b',
  '\n',
  '\u00a0',
  '–',
  ' - ',
  '\u202e',
);
/** A card number as somebody could write it. */
const card = fc
  .tuple(digits, fc.array(separator, { minLength: 19, maxLength: 19 }), fc.constantFrom(0x30, 0xff10, 0x660))
  .map(([numbers, separators, zero]) =>
    numbers.map((each, i) => String.fromCodePoint(zero + each) + (separators[i] ?? '')).join(''),
  );
const wild = fc.string({ unit: 'binary' });
const messy = fc
  .array(
    fc.oneof(wild, fc.string(), card, fc.constantFrom('\u001b[31m', '한도초과', '\ud800', '\r\n', '•', '*')),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const maxLength = fc.integer({ min: 1, max: 300 });
/** Of any script. */
const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0;
const withoutDigits = (text: string) => text.replace(/[\p{Nd}*•●]/gu, '');

test('of a card number at most ten digits stay, however it is written and wherever the text is cut', () => {
  holds(
    fc.property(
      card,
      fc.string(),
      fc.string(),
      fc.integer({ min: 1, max: 100 }),
      (number, left, right, cutAt) => {
        // A letter between them: digits around the number would be a longer number.
        const text = `${withoutDigits(left)}x${number}x${withoutDigits(right)}`;
        expect(countDigits(cleanText(text, 10_000))).toBeLessThanOrEqual(10);
        expect(countDigits(cleanText(text, cutAt))).toBeLessThanOrEqual(10);
      },
    ),
  );
});

test('of two card numbers in one text neither shows its middle', () => {
  const plain = fc.stringMatching(/^[1-9]{16}$/);
  holds(
    fc.property(plain, plain, fc.constantFrom(' and ', '; ', ' | ', ', '), (one, other, between) => {
      const text = cleanText(one + between + other, 1000);
      expect(text).not.toContain(one.slice(6, 12));
      expect(text).toBe(
        [one, other].map((each) => `${each.slice(0, 6)}******${each.slice(-4)}`).join(between),
      );
    }),
  );
});

test('what was cleaned once is not changed by cleaning it again', () => {
  holds(
    fc.property(messy, maxLength, (text, length) => {
      const once = cleanText(text, length);
      expect(cleanText(once, length)).toBe(once);
      const identifier = cleanIdentifier(text, length);
      expect(cleanIdentifier(identifier, length)).toBe(identifier);
    }),
  );
});

test('a clean text is never longer than asked, holds nothing invisible, and can be stored as JSONB', () => {
  holds(
    fc.property(messy, maxLength, (text, length) => {
      for (const clean of [cleanText(text, length), cleanIdentifier(text, length)]) {
        expect(clean.length).toBeLessThanOrEqual(length);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(Buffer.from(JSON.stringify(clean)).toString())).toBe(clean);
      }
    }),
  );
});

test('a text without digits or control characters stays as it is', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abc XYZ,.-_/가힣🙂é<>&"\'') });
  holds(fc.property(text, (each) => expect(cleanText(each, 1000)).toBe(each)));
});

test('a run of fewer than 13 digits is no card number and stays', () => {
  holds(
    fc.property(fc.stringMatching(/^[0-9]{1,12}$/), (number) => {
      expect(cleanText(`tel ${number} end`, 100)).toBe(`tel ${number} end`);
    }),
  );
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
const plainSeparators = ['', '', ' ', '-', '.', '_', '+', '/', ' - ', '–'];
const callersSeparator = fc.constantFrom(
  ...plainSeparators,
  ...plainSeparators.map((each) => encodeURIComponent(each)),
  ...['%2D', '%2d', '%252D', '%2F', '%20', '%C2%A0'],
);
/** In groups or not, as a caller could write it; some digits percent-encoded. */
const callersCard = fc
  .tuple(
    cardDigits,
    fc.array(callersSeparator, { minLength: 19, maxLength: 19 }),
    fc.array(fc.boolean(), { minLength: 19, maxLength: 19 }),
  )
  .map(([digitsOf, separators, encoded]) => ({
    digits: digitsOf,
    written: [...digitsOf]
      .map((digit, i) => (i === 0 ? '' : separators[i]) + (encoded[i] ? `%3${digit}` : digit))
      .join(''),
  }));

test('of a card number that a caller has put into a path at most ten digits stay, and what stands around it stays', () => {
  const around = fc.constantFrom('', '/', '/api/orders/', 'card%20', '"', ': ');
  const behind = fc.constantFrom('', '/', '/close', '"', '?a=b', '%2Fclose', '%zz');
  holds(
    fc.property(callersCard, around, behind, ({ digits: number, written }, left, right) => {
      const masked = maskCardNumbers(left + written + right);
      const stars = '*'.repeat(number.length - 10);
      expect(masked).toBe(`${left}${number.slice(0, 6)}${stars}${number.slice(-4)}${right}`);
      expect(maskCardNumbers(masked)).toBe(masked);
    }),
  );
});

test('a run of fewer than 13 or more than 19 digits in a path is the id of something and stays', () => {
  holds(
    fc.property(fc.stringMatching(/^([0-9]{1,12}|[0-9]{20,30})$/), (number) => {
      expect(maskCardNumbers(`/api/orders/${number}/close`)).toBe(`/api/orders/${number}/close`);
    }),
  );
});

test('a time stays readable in a path, in units of any size and as a date', () => {
  const time = fc.date({ min: new Date('2015-01-01'), max: new Date('2037-01-01'), noInvalidDate: true });
  holds(
    fc.property(time, fc.constantFrom('', '000', '000000'), (at, zeros) => {
      for (const text of [`${at.getTime()}${zeros}`, at.toISOString(), at.toISOString().replace(/\D/g, '')])
        expect(maskCardNumbers(`/api/orders/${text}`)).toBe(`/api/orders/${text}`);
    }),
  );
});

test('an address stays readable', () => {
  holds(fc.property(fc.ipV4(), (address) => expect(maskCardNumbers(address)).toBe(address)));
  holds(fc.property(fc.ipV6(), (address) => expect(maskCardNumbers(address)).toBe(address)));
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

test('a kept record has no name that reaches into prototypes, also not after its names were cleaned', () => {
  holds(
    fc.property(record, (each) => {
      const objects = objectsIn(toRawRecord(each));
      expect(objects.filter(reachesIntoPrototypes)).toEqual([]);
    }),
  );
});

test('a kept record is what JSON makes of it, at most eight levels deep, and is kept the same when it is kept again', () => {
  holds(
    fc.property(record, (each) => {
      const kept = toRawRecord(each);
      expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
      expect(depthOf(kept)).toBeLessThanOrEqual(8);
      expect(toRawRecord(kept)).toEqual(kept);
    }),
  );
});

test('a kept record holds no card number, as a text or a number, under any name that is not one of identifiers', () => {
  const value = fc.oneof(card, fc.integer({ min: 1e12, max: Number.MAX_SAFE_INTEGER }));
  const hidden = value.chain((each) =>
    fc
      .array(
        fc.oneof(fc.constantFrom('list' as const), fc.constantFrom('note', 'card_number', 'pan', 'status')),
        { maxLength: 7 },
      )
      .map((wraps) =>
        wraps.reduce<unknown>((inner, wrap) => (wrap === 'list' ? [inner] : { [wrap]: inner }), each),
      ),
  );
  holds(
    fc.property(hidden, (each) => {
      expect(countDigits(JSON.stringify(toRawRecord({ field: each })))).toBeLessThanOrEqual(10);
    }),
  );
});

const NAMES = Array.from({ length: 1_200 }, (_, i) => `${'n'.repeat(50)}${i}`);

test('a kept record is below its limit as JSON, whatever it holds and however much', () => {
  const item = fc.oneof(fc.constantFrom<Json>(null, true, 0, '', '"', '\\', {}, []), fc.string(), json);
  const named = fc
    .tuple(item, fc.nat(NAMES.length))
    .map(([each, count]) => Object.fromEntries(NAMES.slice(0, count).map((name) => [name, each])));
  const listed = fc
    .tuple(item, fc.nat(14_000))
    .map(([each, count]) => ({ list: Array<Json>(count).fill(each) }));
  const large = fc.oneof({ weight: 4, arbitrary: named }, { weight: 1, arbitrary: listed });
  holds(
    fc.property(large, (each) =>
      expect(JSON.stringify(toRawRecord(each)).length).toBeLessThanOrEqual(64_000),
    ),
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
