// What a payment shows as cancelled decides what became of a refund.

import { findingOf } from '../../../../src/merchant/core/refunds/recover-refund';

test.each<[string, cancelled: bigint | null, finding: string]>([
  ['it cannot be told what is cancelled', null, 'unknown'],
  ['no more is cancelled than before', 300n, 'not_found'],
  ['exactly this refund is cancelled beside what was', 700n, 'refunded'],
  // Somebody else has cancelled, too: whose cancellation it is only a person can tell.
  ['more is cancelled than this refund and all before it', 701n, 'needs_review'],
  ['less is', 699n, 'needs_review'],
  ['less is cancelled than before', 299n, 'needs_review'],
])('of a refund of 400 after 300: %s', (_how, cancelled, finding) => {
  expect(findingOf({ amount: 400n, cancelledBefore: 300n }, cancelled)).toBe(finding);
});
