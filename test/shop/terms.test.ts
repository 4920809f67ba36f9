// The shop's own test: it changes with src/merchant/shop/terms.ts. Tests of other parts use the file as shipped.

import { CONSENT } from '../../src/merchant/shop/terms';

test.each(Object.entries(CONSENT))('%s can be stored with a consent', (_, version) => {
  expect(version).toMatch(/^.{1,32}$/);
});
