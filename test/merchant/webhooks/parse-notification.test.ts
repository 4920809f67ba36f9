// Whether the status of a notification is later than the fetched one.

import { claimsLaterStatus } from '../../../src/merchant/webhooks/parse-notification';

test.each([
  ['paid', 'ready', true],
  ['PAID', 'failed', true],
  ['cancelled', 'paid', true],
  ['paid', 'paid', false],
  ['failed', 'paid', false],
  ['virtual_account_issued', 'ready', false],
  ['something_new', 'ready', false],
  [null, 'ready', false],
  ['paid', null, false],
] as const)('a word %s over a fetched %s promises more: %s', (claimed, fetched, isLater) => {
  expect(claimsLaterStatus(claimed, fetched)).toBe(isLater);
});
