// An amount that a person types is what it looks like, or it is refused: a misread one would be refunded.

import fc from 'fast-check';
import { readAmount } from '../../../src/merchant/operator/typed-amount';
import { holds } from '../../support/property';

test.each([
  ['1', 1],
  ['1000', 1000],
  [' 1000 ', 1000],
  ['1,000', 1000],
  ['12,345,678', 12_345_678],
])('the amount %j is %d', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});

test.each([
  ...[
    '1.000',
    '1,0',
    '1e3',
    '10,00',
    '1,0000',
    '1000,000',
    ',100',
    '100,',
    '1,,000',
    '1.5',
    '1 000',
    '1_000',
  ],
  ...[
    '0x10',
    '0b1',
    '+5',
    '-5',
    '0',
    '01',
    '１０００',
    '₩1000',
    '1000원',
    'Infinity',
    'NaN',
    '',
    ' ',
    '0,100',
  ],
  ...['9007199254740993', '9'.repeat(400)],
])('the amount %j is none', (typed) => {
  expect(readAmount(typed)).toBeNaN();
});

test('an amount is read as people group it, and with one digit more or less in a group it is none', () => {
  holds(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
      expect(readAmount(String(amount))).toBe(amount);
      const grouped = amount.toLocaleString('en');
      expect(readAmount(grouped)).toBe(amount);
      if (amount < 1000) return;
      expect(readAmount(grouped.slice(0, -1))).toBeNaN();
      expect(readAmount(`${grouped}0`)).toBeNaN();
    }),
  );
});
