// No field of a card makes a regular expression slow (row K9 of docs/13-faults.md).

import { parseCardInput } from '../../../../src/merchant/options/card-form/card-input';
import { slowTexts } from '../../hostile-texts';

const NOW = new Date('2026-11-21T00:00:00Z');

test.each([
  ['a card number', 'card_number'],
  ['an expiry', 'expiry'],
  ['a birth date', 'birth'],
  ['the digits of a password', 'pwd_2digit'],
])('%s of 16 kB is checked in at most three hundred passes', (_, field) => {
  expect(slowTexts((text) => parseCardInput({ [field]: text }, NOW))).toEqual([]);
});
