import { asksAgain, parseCardForm, type FieldProblems } from '../../../src/merchant/cards/card-form';

const NOW = new Date('2026-11-21T00:00:00Z');
const GOOD = {
  card_number: '4242-4242-4242-4242',
  expiry: '12/30',
  birth: '880228',
  pwd_2digit: '12',
  agree_terms: 'on',
  agree_privacy: 'on',
};
const read = (fields: object) => parseCardForm({ ...GOOD, ...fields }, NOW);
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
    cardNumber: '4242-4242-4242-4242',
    expiry: '2030-12',
    birth: '880228',
    pwd2digit: '12',
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
    expect([read({ register_again }), asksAgain({ register_again })]).toMatchObject([
      { registerAgain: true },
      true,
    ]);
  },
);

test.each([undefined, '', 'off', false, ['on', 'on'], {}])(
  'the box for the same card once more is not ticked as %p',
  (register_again) => {
    expect([read({ register_again }), asksAgain({ register_again })]).toMatchObject([
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
