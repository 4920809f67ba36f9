// Input of the card form: accepted input is a card in the service's format, and refused input is not repeated.

import fc from 'fast-check';
import { FORM_FIELDS, parseCardForm } from '../../../src/merchant/options/card-form/card-form';
import {
  CARD_FIELDS,
  parseCardInput,
  type CardField,
} from '../../../src/merchant/options/card-form/card-input';
import { ko } from '../../../src/merchant/options/card-form/texts.ko';
import { holds } from '../../support/property';

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

test('every accepted field has the format of the document', () => {
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

test('of the ten possible last digits of a business number exactly one is valid, with dashes or without', () => {
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

test('the check of a form never throws, and names only known problems, at their fields, without the typed values', () => {
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
