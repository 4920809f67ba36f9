// A page in English names a card company in English.

import { issuerIn } from '../../../../src/merchant/platform/http/formats';
import { companies } from '../../../../src/sandbox/billing-keys/card';

test.each(companies.map(({ name, english }) => [name, english]))('%s is %s in English', (name, english) => {
  expect(issuerIn(name, 'en')).toBe(english);
  expect(issuerIn(name, 'ko')).toBe(name);
});

test.each(['새로운카드', 'constructor', '', null])('the unknown name %p stays as it is', (name) => {
  expect(issuerIn(name, 'en')).toBe(name);
});
