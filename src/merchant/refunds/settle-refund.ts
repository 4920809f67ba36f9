// What became of a refund: the payment is fetched again the one way there is (`payments/sync-payment.ts`), and the amount
// that it then shows as cancelled decides. No notification tells of a cancellation through the API (§4.9).

import type { Context } from '../context';
import { findPayment } from '../payments/payment-store';
import { fits, syncPayment } from '../payments/sync-payment';
import { closeRefund, type OpenRefund } from './refund-store';

export type RefundFinding =
  | 'refunded'
  /** As before: not cancelled, or not shown yet. */
  | 'not_found'
  /** Another amount is cancelled than before or expected: somebody else has cancelled too. */
  | 'needs_review'
  /** The payment could not be fetched, or not be judged. */
  | 'unknown';

/** @throws DatabaseError; the refund then stays open, and is polled for */
export async function settleRefund(
  context: Context,
  { id, svcUid, amount, cancelledBefore }: Pick<OpenRefund, 'id' | 'svcUid' | 'amount' | 'cancelledBefore'>,
): Promise<RefundFinding> {
  const stored = await findPayment(context, svcUid);
  if (!stored) throw new Error('the payment of a refund is missing');
  const { merchantUid } = stored;
  const { outcome } = await syncPayment(context, { svcUid, merchantUid });
  if (!fits(outcome)) return 'unknown';
  const cancelled = (await findPayment(context, svcUid))?.cancelAmount;
  if (cancelled === cancelledBefore) return 'not_found';
  const finding = cancelled === cancelledBefore + amount ? 'refunded' : 'needs_review';
  await closeRefund(context, id, finding);
  return finding;
}
