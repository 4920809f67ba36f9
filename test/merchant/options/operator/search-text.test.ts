// What a text of the search box may be.

import { readSearch } from '../../../../src/merchant/options/operator/lists/search-text';

test.each([
  ['010-1234-5678', ['01012345678', '821012345678']],
  ['01012345678', ['01012345678', '821012345678']],
  ['+82 10 1234 5678', ['01012345678', '821012345678']],
  ['+82 (0)10 1234 5678', ['01012345678', '821012345678']],
  ['02-123-4567', ['021234567', '8221234567']],
  ['1234', []],
  ['order-0101234567', []],
])('the phone number in %j', (text, phones) => {
  expect(readSearch(text).phones).toEqual(phones);
});

test.each([
  ['12,000', 12_000],
  ['₩12,000', 12_000],
  ['12000 원', 12_000],
  ['12.000', null],
  ['tea', null],
])('the amount in %j', (text, amount) => {
  expect(readSearch(text).amount).toBe(amount);
});

test('four digits may be an amount and those of a card', () => {
  expect(readSearch(' 4242 ')).toMatchObject({ text: '4242', phones: [], amount: 4242, lastFour: '4242' });
  expect(readSearch('04242').lastFour).toBeNull();
});
