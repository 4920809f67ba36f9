// A notification can claim a later status than the one that was fetched. The payment is synced again then.

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
