// The money of a payment is given back, in full or in part (§4.9). The row is written before the call, the balance that
// we believe to be left goes along as checksum, and a lost answer is polled for by `recovery/`, never sent again.

import type { Context } from '../context';
import type { RefundAccount } from '../payment-service/refunds';
import { heldAmount } from '../payments/order-status';
import { findPayment } from '../payments/payment-store';
import { pollLater } from '../recovery/recover-attempt';
import { bestEffort, sendOnce } from '../recovery/send-once';
import { closeRefund, findUnsettledRefund, insertRefund } from './refund-store';
import { settleRefund } from './settle-refund';

/** §2.4, pay_method. */
const VIRTUAL_ACCOUNT = 'vbank';

export type RefundRequest = {
  svcUid: string;
  /** Null: all that is left. */
  amount: number | null;
  reason: string;
  /** The balance before this refund, as the caller knows it; null: as the database has it. */
  checksum: number | null;
  /** For a deposit to a virtual account; null otherwise. It goes into the call and nowhere else. */
  refundAccount: RefundAccount | null;
};

export type RefundOutcome =
  | { kind: 'refunded' | 'unknown' | 'not_executed' }
  /** The service said no; nothing was refunded. */
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'payment_not_found' | 'nothing_to_cancel' | 'balance_differs' | 'amount_exceeds_balance' }
  | { kind: 'refund_pending' | 'refund_needs_review' }
  | { kind: RefundAccountProblem };

export type RefundAccountProblem =
  /** The payment was a deposit to a virtual account: without an account the service refuses (§4.9). */
  | 'refund_account_missing'
  /** The payment was made otherwise: the money goes back the way it came. */
  | 'refund_account_unused';

/** @throws DatabaseError when the refund could not be written: then nothing was sent */
export async function refundPayment(context: Context, request: RefundRequest): Promise<RefundOutcome> {
  const { svcUid, reason, checksum, refundAccount } = request;
  const payment = await findPayment(context, svcUid);
  if (!payment) return { kind: 'payment_not_found' };
  const cancelledBefore = Number(payment.cancelAmount);
  const balance = heldAmount({
    status: payment.status,
    amount: Number(payment.amount),
    cancelAmount: cancelledBefore,
  });
  if (balance === 0) return { kind: 'nothing_to_cancel' };
  if (checksum !== null && checksum !== balance) return { kind: 'balance_differs' };
  const amount = request.amount ?? balance;
  if (amount > balance) return { kind: 'amount_exceeds_balance' };
  const accountProblem = findAccountProblem(payment.payMethod, refundAccount);
  if (accountProblem) return { kind: accountProblem };

  const id = await insertRefund(context, { svcUid, amount, cancelledBefore, cancelReason: reason });
  if (id === null) return { kind: await findObstacle(context, svcUid) };
  const refund = { id, svcUid, amount: BigInt(amount), cancelledBefore: payment.cancelAmount };
  const sent = await sendOnce(() =>
    context.service.cancelPayment({
      svcUid,
      amount,
      checksum: balance,
      reason,
      refundAccount: refundAccount ?? undefined,
    }),
  );
  switch (sent.kind) {
    case 'answered':
      return confirmRefund(context, refund);
    case 'unknown':
      await pollLater(context, 'refund', id, sent.reason);
      return { kind: 'unknown' };
    case 'refused':
    case 'not_executed':
      await bestEffort(context, () => closeRefund(context, id, sent.kind, sent.reason));
      // The likely reason is another balance at the service than in the database: the next try starts from the true one.
      if (sent.kind === 'refused') await bestEffort(context, () => settleRefund(context, refund));
      return sent;
  }
}

/** Where no record has named the method (§9: the newer generation does not), the service decides. */
function findAccountProblem(
  payMethod: string | null,
  refundAccount: RefundAccount | null,
): RefundAccountProblem | null {
  if (payMethod === null) return null;
  if (payMethod === VIRTUAL_ACCOUNT) return refundAccount ? null : 'refund_account_missing';
  return refundAccount ? 'refund_account_unused' : null;
}

/** What the answer of the call itself says is not believed: the payment has to show the refund. */
async function confirmRefund(
  context: Context,
  refund: Parameters<typeof settleRefund>[1],
): Promise<RefundOutcome> {
  const finding = await bestEffort(context, () => settleRefund(context, refund));
  if (finding === 'refunded') return { kind: 'refunded' };
  if (finding === 'needs_review') return { kind: 'refund_needs_review' };
  await pollLater(context, 'refund', refund.id, finding ?? 'not_written');
  return { kind: 'unknown' };
}

async function findObstacle(context: Context, svcUid: string) {
  const unsettled = await findUnsettledRefund(context, svcUid);
  if (unsettled?.status === 'needs_review') return 'refund_needs_review';
  // None: it was settled between the insert and the search for it, and with it the balance has changed.
  return unsettled ? 'refund_pending' : 'balance_differs';
}
