// Recovers the outcome of a refund from its payment, right after its call and by polls if the answer was lost. A refund
// is never sent again, and until it is resolved its payment accepts no other. The service sends no notification for a
// cancellation through the API (§4.9).

import type { Refund } from '../../../generated/prisma/client';
import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import { isRowId } from '../attempts/attempt-schema';
import { fetchHeldMoney, wholeAmount, type HeldMoney } from '../attempts/held-money';
import type { Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import { decideRefunded } from '../discrepancies/decide-discrepancy';
import { RECORD_UNREADABLE } from '../discrepancies/unreadable-record';
import { findPayment } from '../payments/payment-store';
import { fits, syncPayment } from '../payments/sync-payment';
import { closeRefund, findRefund } from './refund-store';

export const refundRecovery: Recovery<Refund> = {
  name: 'refund',
  isId: isRowId,
  find: (context, id) => findRefund(context, BigInt(id)),

  async ask(context, refund) {
    const finding = await recordRefundOutcome(context, refund);
    const isResolved = finding === 'refunded' || finding === 'needs_review';
    return isResolved ? { kind: 'resolved', outcome: finding } : { kind: finding };
  },

  async recordNotFound(context, { id }) {
    await closeRefund(context, id, 'not_executed', 'not_found');
    return 'not_executed';
  },

  leaveToPerson: (context, { id }, reason) => closeRefund(context, id, 'needs_review', reason),

  logFields: ({ svcUid }) => ({ svc_uid: svcUid }),
};

type RefundFinding =
  | 'refunded'
  /** Unchanged: not cancelled, or not shown yet. */
  | 'not_found'
  /** The cancelled amount is neither the earlier nor the expected one, so there is another cancellation as well. */
  | 'needs_review'
  /** The payment could not be fetched or verified. */
  | 'unknown';

export type RefundToCheck = Pick<
  Refund,
  'id' | 'svcUid' | 'amount' | 'cancelledBefore' | 'cancelReason' | 'discrepancyId' | 'requestedBy'
>;

/**
 * Fetches the payment again and decides by its cancelled amount. A stored payment is synced
 * (`payments/sync-payment.ts`); one that fits no order is only read.
 * @throws DatabaseError; the refund then stays open and is polled
 */
export async function recordRefundOutcome(context: Context, refund: RefundToCheck): Promise<RefundFinding> {
  const { id, svcUid, amount } = refund;
  const cancelled = amount === null ? null : await readCancelledAmount(context, svcUid);
  const finding =
    amount === null ? await findRefundOfAll(context, svcUid) : findingOf({ ...refund, amount }, cancelled);
  if (finding === 'unknown' || finding === 'not_found') return finding;
  // Before the refund is closed: if the process dies in between, the refund is still polled.
  if (finding === 'refunded') await decideDiscrepancyOf(context, refund);
  await closeRefund(context, id, finding);
  if (finding === 'needs_review') reportReview(context, 'refund', id, `cancelled ${cancelled}`);
  return finding;
}

/** The amount of the payment could not be read, and all that it held was to be refunded. */
async function findRefundOfAll(context: Context, svcUid: string): Promise<RefundFinding> {
  const shown = await fetchShown(context, svcUid);
  if (!shown) return 'unknown';
  if (shown.held === 0) return 'refunded';
  return shown.record.status === 'cancelled' ? 'unknown' : 'not_found';
}

/** @param cancelled the cancelled amount of the payment now; null if unknown */
export function findingOf(
  { amount, cancelledBefore }: { amount: bigint; cancelledBefore: bigint },
  cancelled: bigint | null,
): RefundFinding {
  if (cancelled === null) return 'unknown';
  if (cancelled === cancelledBefore) return 'not_found';
  return cancelled === cancelledBefore + amount ? 'refunded' : 'needs_review';
}

/**
 * The cancelled amount of the payment now; null if it could not be fetched or verified, or does not exist.
 * @throws DatabaseError
 */
export async function readCancelledAmount(context: Context, svcUid: string): Promise<bigint | null> {
  const stored = await findPayment(context, svcUid);
  if (!stored) return fetchCancelledAmount(context, svcUid);
  const { outcome, reason } = await syncPayment(context, { svcUid, merchantUid: stored.merchantUid });
  // A case for a person, and asking again would change nothing. What the service shows decides about the refund.
  if (reason === RECORD_UNREADABLE || reason === VALUE_REFUSED) return fetchCancelledAmount(context, svcUid);
  return fits(outcome) ? ((await findPayment(context, svcUid))?.cancelAmount ?? null) : null;
}

async function fetchCancelledAmount(context: Context, svcUid: string): Promise<bigint | null> {
  const shown = await fetchShown(context, svcUid);
  return shown && wholeAmount(shown.record.cancelAmount);
}

/** Null as well if the service could not be asked. */
async function fetchShown(context: Context, svcUid: string): Promise<HeldMoney | null> {
  try {
    return await fetchHeldMoney(context, svcUid);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** The refund of a discrepancy returns all that was left, so its payment now holds nothing. */
async function decideDiscrepancyOf(
  context: Context,
  { discrepancyId, requestedBy, cancelReason }: RefundToCheck,
): Promise<void> {
  if (discrepancyId === null) return;
  await decideRefunded(context, discrepancyId, { by: requestedBy ?? 'api', note: cancelReason });
}
