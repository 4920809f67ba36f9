// The card form is card input with two consents, and names all of its problems at once.

import { isTicked, parseCardForm, type FieldProblems } from '../../../src/merchant/cards/card-form';
import { CARD_FORM } from '../../support/cards';

const NOW = new Date('2026-11-21T00:00:00Z');
const read = (fields: object) => parseCardForm({ ...CARD_FORM, ...fields }, NOW);
const problemsOf = (fields: object): FieldProblems => {
  const form = read(fields);
  return 'problems' in form ? form.problems : {};
};
const cardOf = (fields: object) => {
  const form = read(fields);
  return 'card' in form ? form.card : form.problems;
};

test('a good form is the card input of §2.2', () => {
  expect(cardOf({})).toEqual({
    cardNumber: '5409-1357-2468-9012',
    expiry: '2037-11',
    birth: '790523',
    pwd2digit: '86',
  });
});

test('fields that the form does not have are ignored, also dangerous ones', () => {
  expect(
    cardOf({ other: '1', constructor: 'x', ...(JSON.parse('{"__proto__":{"card":1}}') as object) }),
  ).toEqual(cardOf({}));
});

test.each([undefined, '', 'off', 'no', false, ['on', 'on']])(
  'a consent given as %p is not given (H22)',
  (box) => {
    expect(problemsOf({ agree_terms: box })).toEqual({ agree_terms: 'agree_terms_missing' });
    expect(problemsOf({ agree_privacy: box })).toEqual({ agree_privacy: 'agree_privacy_missing' });
  },
);

test('a PG that is not offered cannot be asked for (H23)', () => {
  expect(problemsOf({ pg: 'nice' })).toEqual({ pg: 'pg_not_offered' });
});

test.each(['on', 'true', '1', true])(
  'the box for the same card once more is ticked as %p',
  (register_again) => {
    expect([read({ register_again }), isTicked({ register_again }, 'register_again')]).toMatchObject([
      { registerAgain: true },
      true,
    ]);
  },
);

test.each([undefined, '', 'off', false, ['on', 'on'], {}])(
  'the box for the same card once more is not ticked as %p',
  (register_again) => {
    expect([read({ register_again }), isTicked({ register_again }, 'register_again')]).toMatchObject([
      { registerAgain: false },
      false,
    ]);
  },
);

test.each([undefined, null, [], 'text', 1])('a body that is %p has every field missing', (body) => {
  const form = parseCardForm(body, NOW);
  expect('problems' in form && form.problems).toHaveProperty('card_number', 'card_number_missing');
});

test('all problems are named at once', () => {
  const form = parseCardForm({}, NOW);
  expect('problems' in form && Object.keys(form.problems)).toEqual([
    'card_number',
    'expiry',
    'birth',
    'pwd_2digit',
    'agree_terms',
    'agree_privacy',
  ]);
});
