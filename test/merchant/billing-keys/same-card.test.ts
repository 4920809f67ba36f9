import { looksLikeCard } from '../../../src/merchant/billing-keys/same-card';

const SENT = '5409-1357-2468-9012';
const held = (cardNumber: string | null, lastFour: string | null = '9012') => ({
  customerUid: 'card_1',
  cardName: 'BC카드',
  cardNumber,
  lastFour,
});

test.each([
  ['as the sandbox masks it', '5409-13**-****-9012'],
  ['without separators', '540913******9012'],
  ['with spaces', '5409 13** **** 9012'],
  ['with one of the last four masked', '5409-13**-****-901*'],
  ['with fewer digits shown', '5409-****-****-9012'],
  ['with a shortened middle', '540913**9012'],
  ['with the last four alone', '****-****-****-9012'],
  ['with the last four and no mask', '9012'],
  ['with everything masked', '****-****-****-****'],
  ['not at all', null],
])('a held card shown %s looks like the one that was sent', (_, shown) => {
  expect(looksLikeCard(held(shown), SENT)).toBe(true);
});

test.each([
  ['another beginning', held('5410-13**-****-9012')],
  ['another sixth digit', held('5409-14**-****-9012')],
  ['other last four digits', held('5409-13**-****-9013', '9013')],
  ['the last four of another card behind a masked one', held('5409-13**-****-901*', '9013')],
  ['a record of another card than the one that was sent for it', held('5409-13**-****-9999')],
])('%s is another card', (_, card) => {
  expect(looksLikeCard(card, SENT)).toBe(false);
});

test('a key that no issuance of ours made is compared by what the service shows', () => {
  expect(looksLikeCard(held('5409-13**-****-9012', null), SENT)).toBe(true);
  expect(looksLikeCard(held('5409-13**-****-901*', null), SENT)).toBe(false);
  expect(looksLikeCard(held(null, null), SENT)).toBe(false);
});

test('separators of the number that was sent make no difference', () => {
  for (const sent of ['5409135724689012', '5409 1357 2468 9012'])
    expect(looksLikeCard(held('5409-13**-****-9012'), sent)).toBe(true);
});
