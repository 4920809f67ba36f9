// The card form is card input with two consents, and reports all problems at once.

import {
  isTicked,
  parseCardForm,
  type FieldProblems,
} from '../../../../src/merchant/options/card-form/card-form';
import { CARD_FORM } from '../../../support/cards';

const NOW = new Date('2026-11-21T00:00:00Z');
const read = (fields: object) => parseCardForm({ ...CARD_FORM, ...fields }, NOW);
const problemsOf = (fields: object): FieldProblems => {
  const form = read(fields);
  return 'problems' in form ? form.problems : {};
};

test.each(['on', 'true', '1', true])('a consent box is accepted as %p', (box) => {
  // The card input of §2.2.
  const card = { cardNumber: '5409-1357-2468-9012', expiry: '2037-11', birth: '790523', pwd2digit: '86' };
  const form = read({ agree_terms: box, agree_privacy: box, register_again: box });
  expect(form).toEqual({ card, registerAgain: true });
  expect(isTicked({ register_again: box }, 'register_again')).toBe(true);
});

const NOT_TICKED = [undefined, '', '0', 'off', 'no', false, 1, ['on'], ['on', 'on'], {}];
test.each(NOT_TICKED)('a consent of %p is not accepted (H22)', (box) => {
  expect(problemsOf({ agree_terms: box })).toEqual({ agree_terms: 'agree_terms_missing' });
  expect(problemsOf({ agree_privacy: box })).toEqual({ agree_privacy: 'agree_privacy_missing' });
  // Nor is the box that confirms the same card.
  expect(read({ register_again: box })).toMatchObject({ registerAgain: false });
  expect(isTicked({ register_again: box }, 'register_again')).toBe(false);
});

test('a missing number has the name of the chosen kind of card', () => {
  expect(problemsOf({ birth: '' })).toEqual({ birth: 'birth_missing' });
  expect(problemsOf({ birth: '', card_holder: 'company' })).toEqual({ birth: 'business_number_missing' });
});

test('a PG that is not offered is refused (H23)', () => {
  expect(problemsOf({ pg: 'nice' })).toEqual({ pg: 'pg_not_offered' });
});

test.each([undefined, null, [], 'text', 1])('a body that is %p has every field missing', (body) => {
  const form = parseCardForm(body, NOW);
  const missing = ['card_number', 'expiry', 'pwd_2digit', 'birth', 'agree_terms', 'agree_privacy'];
  expect(Object.keys('problems' in form ? form.problems : {})).toEqual(expect.arrayContaining(missing));
});
