// Ambiguous amounts in an operator's input are refused, because a misread amount would be refunded.

import fc from 'fast-check';
import { readAmount } from '../../../../src/merchant/options/operator/frame/formats';
import { holds } from '../../../support/property';

const NO_AMOUNTS = [
  '1.000 1,0 1e3 10,00 1,0000 1000,000 ,100 100, 1,,000 1.5 1_000 0x10 0b1 +5 -5 0 01 0,100',
  '１０００ ₩1000 1000원 Infinity NaN 9007199254740993',
].flatMap((line) => line.split(' '));

test.each([...NO_AMOUNTS, '1 000', '', ' ', '9'.repeat(400)])('the amount %j is refused', (typed) => {
  expect(readAmount(typed)).toBeNaN();
});

test('an amount with correct groups of digits is read, and one with a wrong group is refused', () => {
  expect(readAmount(' 1000 ')).toBe(1000);
  expect(readAmount('12,345,678')).toBe(12_345_678);
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
