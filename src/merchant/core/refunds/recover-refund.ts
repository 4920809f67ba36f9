// What became of a refund, by its payment: right after its call, and by polls where the answer was lost. No refund is ever sent
// again, and until this one is settled its payment takes no other. No notification tells of a cancellation through the API (§4.9).

import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import type { Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import { fetchHeldMoney } from '../payments/held-money';
import { findPayment } from '../payments/payment-store';
import { settleAsRefunded } from '../payments/resolve-discrepancy';
import { fits, syncPayment } from '../payments/sync-payment';
import { closeRefund, findOpenRefund, type OpenRefund } from './refund-store';

export const refundRecovery: Recovery<OpenRefund> = {
  kind: 'refund',
  find: findOpenRefund,

  async ask(context, refund) {
    const finding = await settleRefund(context, refund);
    switch (finding) {
      case 'refunded':
      case 'needs_review':
        return { kind: 'settled', outcome: finding };
      case 'not_found':
      case 'unknown':
        return { kind: finding };
    }
  },

  async settleNotFound(context, { id }) {
    await closeRefund(context, id, 'not_executed', 'not_found');
    return 'not_executed';
  },

  logFields: ({ svcUid }) => ({ svc_uid: svcUid }),
};

type RefundFinding =
  | 'refunded'
  /** As before: not cancelled, or not shown yet. */
  | 'not_found'
  /** Another amount is cancelled than before or expected: somebody else has cancelled too. */
  | 'needs_review'
  /** The payment could not be fetched, or not be judged. */
  | 'unknown';

export type RefundToSettle = Pick<
  OpenRefund,
  'id' | 'svcUid' | 'amount' | 'cancelledBefore' | 'cancelReason' | 'discrepancyId' | 'requestedBy'
>;

/**
 * The payment is fetched again, and the amount that it then shows as cancelled decides. A stored payment is fetched the one way
 * there is (`payments/sync-payment.ts`); one that fits no order is only looked at.
 * @throws DatabaseError; the refund then stays open, and is polled for
 */
export async function settleRefund(context: Context, refund: RefundToSettle): Promise<RefundFinding> {
  const { id, svcUid } = refund;
  const cancelled = await readCancelledAmount(context, svcUid);
  const finding = findingOf(refund, cancelled);
  if (finding === 'unknown' || finding === 'not_found') return finding;
  // Before the refund is closed: a process that dies in between leaves a refund that is polled for.
  if (finding === 'refunded') await settleDiscrepancyOf(context, refund);
  await closeRefund(context, id, finding);
  if (finding === 'needs_review') reportReview(context, 'refund', id, `cancelled ${cancelled}`);
  return finding;
}

/** @param cancelled what the payment shows as cancelled now; null where that cannot be told */
export function findingOf(
  { amount, cancelledBefore }: Pick<RefundToSettle, 'amount' | 'cancelledBefore'>,
  cancelled: bigint | null,
): RefundFinding {
  if (cancelled === null) return 'unknown';
  if (cancelled === cancelledBefore) return 'not_found';
  return cancelled === cancelledBefore + amount ? 'refunded' : 'needs_review';
}

/**
 * What the payment shows as cancelled now. Null where it could not be fetched or judged, or is not there.
 * @throws DatabaseError
 */
export async function readCancelledAmount(context: Context, svcUid: string): Promise<bigint | null> {
  const stored = await findPayment(context, svcUid);
  if (!stored) return fetchCancelledAmount(context, svcUid);
  const { outcome } = await syncPayment(context, { svcUid, merchantUid: stored.merchantUid });
  return fits(outcome) ? ((await findPayment(context, svcUid))?.cancelAmount ?? null) : null;
}

async function fetchCancelledAmount(context: Context, svcUid: string): Promise<bigint | null> {
  try {
    const shown = await fetchHeldMoney(context, svcUid);
    return shown && BigInt(shown.record.cancelAmount);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** The refund of a discrepancy is of all that was left, so its payment holds nothing any more. */
async function settleDiscrepancyOf(
  context: Context,
  { discrepancyId, requestedBy, cancelReason }: RefundToSettle,
): Promise<void> {
  if (discrepancyId === null) return;
  await settleAsRefunded(context, discrepancyId, { by: requestedBy ?? 'api', note: cancelReason });
}
