// What a person typed: what is taken is a card as the service wants it, and what is refused is not repeated.

import fc from 'fast-check';
import { CARD_FIELDS, parseCardInput, type CardField } from '../../src/merchant/billing-keys/card-input';
import { FORM_FIELDS, parseCardForm } from '../../src/merchant/cards/card-form';
import { ko } from '../../src/merchant/locales/ko';
import { holds } from '../support/property';

const NOW = new Date('2026-11-21T00:00:00Z');
const GOOD = { card_number: '4242424242424242', expiry: '12/30', birth: '880228', pwd_2digit: '12' };
const read = (fields: object, now = NOW) => parseCardInput({ ...GOOD, ...fields }, now);
const cardOf = (fields: object, now = NOW) => {
  const input = read(fields, now);
  return 'card' in input ? input.card : null;
};
const problemOf = (name: CardField, value: unknown, now = NOW) => {
  const input = read({ [name]: value }, now);
  return 'problems' in input ? (input.problems[name] ?? null) : null;
};
const typed = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[0-9 ./-]{0,24}$/),
  fc.constantFrom('１２/３０', '٤٢', '12/30\n', '000229', '\ufeff12'),
);
const anything = fc.oneof(typed, typed, fc.anything());
const two = (value: number) => String(value).padStart(2, '0');

test('what is taken has the form of the document, whatever was typed', () => {
  const good = fc.constantFrom(...Object.values(GOOD), '4242 4242-4242 4242', '2030-12', '123-45-67891');
  const fields = fc.record(Object.fromEntries(CARD_FIELDS.map((name) => [name, fc.oneof(good, anything)])));
  const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2080-01-01'), noInvalidDate: true });
  holds(
    fc.property(fields, date, (each, now) => {
      const input = parseCardInput(each, now);
      if ('problems' in input) {
        expect(Object.keys(input.problems).length).toBeGreaterThan(0);
        return;
      }
      expect(input.card).toEqual({
        cardNumber: expect.stringMatching(/^[0-9]{4}(-[0-9]{4}){3}$/),
        expiry: expect.stringMatching(/^20[0-9]{2}-(0[1-9]|1[0-2])$/),
        birth: expect.stringMatching(/^([0-9]{6}|[0-9]{10})$/),
        pwd2digit: expect.stringMatching(/^[0-9]{2}$/),
      });
    }),
  );
});

test('a card number is its sixteen ASCII digits, however blanks, dots and dashes stand between them', () => {
  const separators = fc.array(fc.constantFrom('', '', '', ' ', '.', '-'), { minLength: 16, maxLength: 16 });
  holds(
    fc.property(fc.stringMatching(/^[0-9]{16}$/), separators, (digits, between) => {
      const text = [...digits]
        .map((digit, i) => digit + (between[i] ?? ''))
        .join('')
        .replace(/[ .-]+$/, '');
      expect(cardOf({ card_number: text })?.cardNumber).toBe(digits.match(/.{4}/g)?.join('-'));
    }),
  );
});

test('a card is good to the last millisecond of its month in Seoul, and at most twenty years ahead, in each way of writing', () => {
  const months = fc.tuple(fc.integer({ min: 2000, max: 2079 }), fc.integer({ min: 1, max: 12 }));
  const ways = ['M/Y', 'm/Y', 'M / YYYY', 'YYYY-M', 'YYYY.M', 'M.Y', 'M-Y', 'M-YYYY', 'MY'];
  const offsetMs = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -9e11, max: 9e11 }));
  /** The end of this month in Seoul, so many months earlier. */
  const endOf = (year: number, month: number, monthsBefore: number) =>
    Date.UTC(year, month - monthsBefore) - 9 * 3_600_000;
  holds(
    fc.property(
      months,
      fc.constantFrom(...ways),
      fc.constantFrom(0, 241),
      offsetMs,
      (date, way, before, ms) => {
        const [year, month] = date;
        // Around the two moments at which the answer changes: the end of the month in Seoul, and 241 months before.
        const now = endOf(year, month, before) + ms;
        const isTooFar = now < endOf(year, month, 241);
        const expected = now >= endOf(year, month, 0) ? 'expiry_past' : isTooFar ? 'expiry_too_far' : null;
        const text = way
          .replace('YYYY', String(year))
          .replace('Y', two(year % 100))
          .replace('M', two(month))
          .replace('m', String(month));
        expect(problemOf('expiry', text, new Date(now))).toBe(expected);
        if (expected === null)
          expect(cardOf({ expiry: text }, new Date(now))?.expiry).toBe(`${year}-${two(month)}`);
      },
    ),
  );
});

test('a birth date is a day of its century, or of 2000 without one, with one sign between its parts or none', () => {
  const part = (most: number) => fc.integer({ min: 0, max: most }).map(two);
  const date = fc.tuple(fc.constantFrom('19', '20', ''), part(99), part(13), part(32));
  const between = fc.constantFrom('', '-', '.', '/', ' ');
  holds(
    fc.property(date, between, ([century, year, month, day], sign) => {
      const lastDay = new Date(Date.UTC(Number((century || '20') + year), Number(month), 0)).getUTCDate();
      const isDay = month >= '01' && month <= '12' && day >= '01' && Number(day) <= lastDay;
      const birth = [century + year, month, day].join(sign);
      expect(problemOf('birth', birth)).toBe(isDay ? null : 'birth_date');
      if (isDay) expect(cardOf({ birth })?.birth).toBe(year + month + day);
    }),
  );
});

test('of the ten last digits of a business number exactly one is right, with dashes or without', () => {
  holds(
    fc.property(fc.stringMatching(/^[0-9]{9}$/), fc.boolean(), (nine, dashes) => {
      const numbers = Array.from({ length: 10 }, (_, last) => `${nine}${last}`);
      const write = (text: string) => (dashes ? text.replace(/^(...)(..)/, '$1-$2-') : text);
      const good = numbers.filter((each) => problemOf('birth', write(each)) === null);
      expect(good).toHaveLength(1);
      expect(cardOf({ birth: write(good[0] ?? '') })?.birth).toBe(good[0]);
    }),
  );
});

test('a form never throws, names only known problems, each under the field it is about, and repeats nothing that was typed', () => {
  const field = fc.constantFrom(...FORM_FIELDS, 'register_again', 'form_token', '__proto__', 'constructor');
  const body = fc.oneof(fc.dictionary(field, anything), fc.anything());
  holds(
    fc.property(body, (each) => {
      const form = parseCardForm(each, NOW);
      if (!('problems' in form)) return;
      for (const [name, problem] of Object.entries(form.problems)) {
        expect(FORM_FIELDS).toContain(name);
        expect(problem.startsWith(`${name}_`)).toBe(true);
        expect(Object.keys(ko.problems)).toContain(problem);
      }
    }),
  );
});

test('fields that the form does not have change nothing', () => {
  const names = fc.string().filter((name) => ![...FORM_FIELDS, 'register_again'].includes(name as 'pg'));
  const form = { ...GOOD, agree_terms: 'on', agree_privacy: 'on' };
  holds(
    fc.property(
      fc.dictionary(fc.oneof(names, fc.constantFrom('__proto__', 'constructor')), fc.anything()),
      (more) => {
        expect(parseCardForm({ ...more, ...form }, NOW)).toEqual(parseCardForm(form, NOW));
      },
    ),
  );
});
