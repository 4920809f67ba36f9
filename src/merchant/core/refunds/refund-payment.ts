// The money of a stored payment is given back, in full or in part (§4.9): is there so much left?

import type { Context } from '../../platform/context';
import { heldAmount } from '../payments/order-status';
import { findPayment } from '../payments/payment-store';
import {
  findAccountProblem,
  submitRefund,
  type PreparedRefund,
  type RefundAccountProblem,
  type SubmittedRefund,
} from './submit-refund';

export type RefundRequest = Pick<PreparedRefund, 'svcUid' | 'reason' | 'refundAccount'> & {
  /** Null: all that is left. */
  amount: number | null;
  /** The balance before this refund, as the caller knows it; null: as the database has it. */
  checksum: number | null;
  discrepancy?: PreparedRefund['discrepancy'];
  /** Who asks for it; null or absent where nobody is named. */
  requestedBy?: string | null;
};

export type RefundOutcome =
  | SubmittedRefund
  | { kind: 'payment_not_found' | 'nothing_to_cancel' | 'balance_differs' | 'amount_exceeds_balance' }
  | { kind: RefundAccountProblem };

/** @throws DatabaseError when the refund could not be written: then nothing was sent */
export async function refundPayment(context: Context, request: RefundRequest): Promise<RefundOutcome> {
  const { svcUid, reason, checksum, refundAccount, discrepancy = null, requestedBy = null } = request;
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
  return submitRefund(context, {
    svcUid,
    amount,
    balance,
    cancelledBefore,
    isStored: true,
    reason,
    refundAccount,
    discrepancy,
    requestedBy,
  });
}
