// Refunds a payment in full or in part (§4.9): checks the balance, writes the row, sends the call.

import type { RefundAccount } from '../../payment-service/refunds';
import type { Context } from '../../platform/context';
import { heldAmount } from '../attempts/held-money';
import { pollLater } from '../attempts/recover-attempt';
import { bestEffort, sendOnce } from '../attempts/send-once';
import { findDiscrepancy } from '../discrepancies/store';
import { findPayment } from '../payments/payment-store';
import { readCancelledAmount, recordRefundOutcome, type RefundToCheck } from './recover-refund';
import { closeRefund, findBlockingRefund, insertRefund, sumOfRefunds, type NewRefund } from './refund-store';

type RefundRequest = Pick<PreparedRefund, 'svcUid' | 'reason' | 'refundAccount'> & {
  /** Null for the whole balance. */
  amount: number | null;
  /** The tax-free part of it; null or absent if the caller does not divide it. */
  taxFree?: number | null;
  /** The balance before this refund, as the caller knows it; null to use the stored one. */
  checksum: number | null;
  /** The discrepancy that is refunded; null or absent for a refund by svc_uid. */
  discrepancyId?: bigint | null;
  /** Who requests it; null or absent if not given. */
  requestedBy?: string | null;
  /** Won that may be refunded of the payment in all; null or absent for no limit. */
  limit?: number | null;
};

export type RefundOutcome =
  | SubmittedRefund
  | { kind: 'payment_not_found' | 'nothing_to_cancel' | 'balance_differs' | 'amount_exceeds_balance' }
  | { kind: 'tax_free_exceeds_amount' }
  | { kind: RefundAccountProblem };

/** @throws DatabaseError when the refund could not be written; nothing was then sent */
export async function refundPayment(context: Context, request: RefundRequest): Promise<RefundOutcome> {
  const { svcUid, reason, checksum, refundAccount } = request;
  const { taxFree = null, discrepancyId = null, requestedBy = null, limit = null } = request;
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
  if (taxFree !== null && taxFree > amount) return { kind: 'tax_free_exceeds_amount' };
  const accountProblem = findAccountProblem(payment.payMethod, refundAccount);
  if (accountProblem) return { kind: accountProblem };
  return submitRefund(context, {
    svcUid,
    amount,
    taxFree,
    currency: payment.currency,
    balance,
    cancelledBefore,
    isStored: true,
    reason,
    refundAccount,
    discrepancyId,
    requestedBy,
    limit,
  });
}

/** §2.4, pay_method. */
const VIRTUAL_ACCOUNT = 'vbank';

export type PreparedRefund = Omit<NewRefund, 'cancelReason'> & {
  /** The balance of the payment before it. If the service has another balance, nothing is refunded. Null as `amount`. */
  balance: number | null;
  reason: string;
  /** For a deposit to a virtual account; null otherwise. It is used only in the call. */
  refundAccount: RefundAccount | null;
  /** Won that may be refunded of the payment in all; null for no limit. */
  limit: number | null;
};

type SubmittedRefund =
  | { kind: 'refunded' | 'unknown' | 'not_executed' }
  /** The service refused; nothing was refunded. */
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'refund_pending' | 'refund_needs_review' | 'balance_differs' }
  /** The caller may not refund as much of this payment. */
  | { kind: 'refund_limit_exceeded' }
  /** The discrepancy was resolved meanwhile. */
  | { kind: 'already_settled' };

/**
 * The only place that sends refunds. The row is written before the call, which is sent once with the balance as
 * checksum. Its outcome is written, or polled if the answer was lost.
 * @throws DatabaseError when the refund could not be written; nothing was then sent
 */
export async function submitRefund(context: Context, prepared: PreparedRefund): Promise<SubmittedRefund> {
  const { balance, reason, refundAccount, limit, ...row } = prepared;
  const { svcUid, amount, taxFree } = row;
  if (limit !== null && (await exceeds(context, limit, row))) return { kind: 'refund_limit_exceeded' };
  const id = await insertRefund(context, { ...row, cancelReason: reason });
  if (id === null) return { kind: await findObstacle(context, prepared) };
  const sent = await sendOnce(() =>
    context.service.cancelPayment({
      svcUid,
      // Without an amount, the service refunds all that is left (§4.9).
      amount: amount ?? undefined,
      taxFree: taxFree ?? undefined,
      checksum: balance ?? undefined,
      reason,
      refundAccount: refundAccount ?? undefined,
    }),
  );
  switch (sent.kind) {
    case 'answered':
      return confirmRefund(context, {
        ...row,
        id,
        amount: amount === null ? null : BigInt(amount),
        cancelledBefore: BigInt(row.cancelledBefore),
        cancelReason: reason,
      });
    case 'unknown':
      await pollLater(context, 'refund', id, sent.reason);
      return { kind: 'unknown' };
    case 'refused':
    case 'not_executed':
      await bestEffort(context, () => closeRefund(context, id, sent.kind, sent.reason));
      // The likely reason is that the service's balance differs from the stored one. The sync lets the next try start
      // from the true balance.
      if (sent.kind === 'refused') await bestEffort(context, () => readCancelledAmount(context, svcUid));
      return sent;
  }
}

/**
 * All refunds of the payment count, whoever made them, so that several small ones do not pass the limit. Two at the same
 * time do not pass it either: the second finds another balance. The limit is in won: another currency is always above it,
 * and so is an amount that is not known.
 */
async function exceeds(
  context: Context,
  limit: number,
  { svcUid, amount, currency }: Pick<NewRefund, 'svcUid' | 'amount' | 'currency'>,
): Promise<boolean> {
  if (amount === null || currency !== 'KRW') return true;
  return (await sumOfRefunds(context, svcUid)) + amount > limit;
}

/** The answer of the call is not trusted: the payment has to show the refund. */
async function confirmRefund(context: Context, refund: RefundToCheck): Promise<SubmittedRefund> {
  const finding = await bestEffort(context, () => recordRefundOutcome(context, refund));
  if (finding === 'refunded') return { kind: 'refunded' };
  if (finding === 'needs_review') return { kind: 'refund_needs_review' };
  await pollLater(context, 'refund', refund.id, finding ?? 'not_written');
  return { kind: 'unknown' };
}

async function findObstacle(context: Context, { svcUid, discrepancyId }: PreparedRefund) {
  const blocking = await findBlockingRefund(context, svcUid);
  if (blocking) return blocking.status === 'needs_review' ? 'refund_needs_review' : 'refund_pending';
  const isResolved = discrepancyId !== null && (await findDiscrepancy(context, discrepancyId))?.resolvedAt;
  // Otherwise a refund was resolved between the insert and this check, and the balance has changed with it.
  return isResolved ? 'already_settled' : 'balance_differs';
}

export type RefundAccountProblem =
  /** The payment was a deposit to a virtual account. Without an account the service refuses (§4.9). */
  | 'refund_account_missing'
  /** The payment was made in another way, and is refunded in the same way. */
  | 'refund_account_unused';

/**
 * Null if there is no problem. If no record has named the payment method (the newer generation does not, §9), the
 * service decides.
 */
export function findAccountProblem(
  payMethod: string | null,
  refundAccount: RefundAccount | null,
): RefundAccountProblem | null {
  if (payMethod === null) return null;
  if (payMethod === VIRTUAL_ACCOUNT) return refundAccount ? null : 'refund_account_missing';
  return refundAccount ? 'refund_account_unused' : null;
}
