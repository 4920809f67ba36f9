// The service has named a payment for a charge: it is stored the one way there is (`payments/sync-payment.ts`), and the
// stored payment decides. What the answer of the call itself says about money is not believed (§6.4).

import type { PaymentStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { reportReview } from '../attempts/report-review';
import { heldByPayment } from '../payments/held-money';
import { findPayment } from '../payments/payment-store';
import { syncPayment } from '../payments/sync-payment';
import { closeCharge, markUnjudged } from './charge-store';

export type SettledCharge =
  | { kind: 'paid' }
  /** There is a payment, and it holds no money. The reason is the card company's, masked and bounded by the client. */
  | { kind: 'declined'; reason: string | null }
  /** There is a payment, and it does not fit the order: its discrepancy says how. */
  | { kind: 'needs_review' }
  /** The payment cannot be judged yet: the charge stays open, with the payment's svc_uid. */
  | { kind: 'unknown' };

/** @throws DatabaseError; the charge then stays open, and is polled for */
export async function settleCharge(
  context: Context,
  { id, merchantUid }: { id: string; merchantUid: string },
  svcUid: string,
): Promise<SettledCharge> {
  const { outcome, status } = await syncPayment(context, { svcUid, merchantUid });
  switch (outcome) {
    case 'recorded':
    case 'unchanged':
      return settleByPayment(context, id, { svcUid, shown: status });
    // The service's own copies may lag behind its answer.
    case 'queued':
    case 'unknown_payment':
      await markUnjudged(context, id, { svcUid, reason: outcome });
      return { kind: 'unknown' };
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
      await closeCharge(context, id, 'needs_review', { svcUid, reason: outcome });
      reportReview(context, 'charge', id, outcome);
      return { kind: 'needs_review' };
  }
}

async function settleByPayment(
  context: Context,
  id: string,
  { svcUid, shown }: { svcUid: string; shown: PaymentStatus | null },
): Promise<SettledCharge> {
  const payment = await findPayment(context, svcUid);
  if ((payment?.status ?? shown) === 'ready') {
    await markUnjudged(context, id, { svcUid, reason: 'ready' });
    return { kind: 'unknown' };
  }
  if (!payment) {
    // Over another amount, and nothing is paid: it is not stored.
    await closeCharge(context, id, 'failed', { svcUid, reason: null });
    return { kind: 'declined', reason: null };
  }
  const { status, counted, failReason, cancelReason } = payment;
  if (status === 'failed') {
    await closeCharge(context, id, 'failed', { svcUid, reason: failReason });
    return { kind: 'declined', reason: failReason };
  }
  if (heldByPayment(payment) === 0) {
    // Taken and given back at once, such as by a card company that cancels what it cannot confirm.
    const reason = cancelReason ?? 'cancelled';
    await closeCharge(context, id, 'failed', { svcUid, reason });
    return { kind: 'declined', reason };
  }
  // Money moved without paying for the order: another charge would take it twice.
  if (!counted) {
    await closeCharge(context, id, 'needs_review', { svcUid, reason: 'not_counted' });
    reportReview(context, 'charge', id, 'not_counted');
    return { kind: 'needs_review' };
  }
  await closeCharge(context, id, 'paid', { svcUid });
  return { kind: 'paid' };
}
