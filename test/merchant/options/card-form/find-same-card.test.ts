// A typed card is compared with a stored one by its last four digits and every other visible digit.

import { looksLikeCard } from '../../../../src/merchant/options/card-form/find-same-card';

const SENT = '5409-1357-2468-9012';
const looksLike = (cardNumber: string | null, lastFour: string | null = '9012', sent = SENT) =>
  looksLikeCard({ cardNumber, lastFour }, sent);

test.each([
  ['as the sandbox masks it', '5409-13**-****-9012'],
  ['with spaces', '5409 13** **** 9012'],
  ['with one of the last four masked', '5409-13**-****-901*'],
  ['with fewer digits, a shortened middle and no separators', '5409**9012'],
  ['with the last four and no mask', '9012'],
  ['with everything masked', '****-****-****-****'],
  ['not at all', null],
])('a stored card shown %s is recognised as the one that was sent', (_, shown) => {
  expect(looksLike(shown)).toBe(true);
  expect(looksLike(shown, '9012', '5409135724689012')).toBe(true);
});

test.each([
  ['another sixth digit', '5409-14**-****-9012', '9012'],
  ['other last four digits', '5409-13**-****-9013', '9013'],
  ['the last four of another card behind a masked one', '5409-13**-****-901*', '9013'],
  ['a record of another card than the one that was sent for it', '5409-13**-****-9999', '9012'],
])('%s is another card', (_, shown, lastFour) => expect(looksLike(shown, lastFour)).toBe(false));

test('a key without an issuance is compared by the service’s card number', () => {
  const shown = ['5409-13**-****-9012', '5409-13**-****-901*', null];
  expect(shown.map((number) => looksLike(number, null))).toEqual([true, false, false]);
});
