// The cancelled amount of a payment decides the outcome of a refund.

import { findingOf } from '../../../../src/merchant/core/refunds/recover-refund';

test.each<[string, cancelled: bigint | null, finding: string]>([
  ['it cannot be told what is cancelled', null, 'unknown'],
  ['no more is cancelled than before', 300n, 'not_found'],
  ['exactly this refund is cancelled beside what was', 700n, 'refunded'],
  // Another cancellation was made too: only a person can tell them apart.
  ['more is cancelled than this refund and all before it', 701n, 'needs_review'],
  ['less is', 699n, 'needs_review'],
  ['less is cancelled than before', 299n, 'needs_review'],
])('of a refund of 400 after 300: %s', (_how, cancelled, finding) => {
  expect(findingOf({ amount: 400n, cancelledBefore: 300n }, cancelled)).toBe(finding);
});
