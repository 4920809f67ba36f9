// Cancellation, whole or in part: from the admin console (which notifies, §6.1) or through the API (which does not,
// field notes). A partial one shows as `cancelled` with `cancel_amount` below `amount` (field notes).
import { cancelledAmount, type Payment } from './payment';
import type { PaymentStore } from './payment-store';

export type CancelRequest = {
  /** Absent or 0: all that is left. */
  amount?: number | undefined;
  /** What the caller believes is left; another balance aborts (field notes). */
  checksum?: number | undefined;
  reason?: string | undefined;
};

/** null when done, otherwise why not. */
export function cancelPayment(
  payments: PaymentStore,
  payment: Payment,
  request: CancelRequest,
  now: number,
): string | null {
  const isWaiting = payment.status === 'ready';
  if (!isWaiting && payment.paidAt === 0) return 'the payment was not paid, there is nothing to cancel';
  const balance = payment.amount - cancelledAmount(payment);
  if (balance <= 0 && !isWaiting) return 'the payment is already cancelled';
  if (request.checksum !== undefined && request.checksum !== balance)
    return `checksum: the balance is ${balance}, nothing was cancelled`;
  const amount = request.amount || balance;
  if (amount > balance) return `amount: more than the ${balance} that can be cancelled`;
  // Nothing was deposited into a virtual account that still waits: it is closed, no money goes back.
  const cancellation = { amount: isWaiting ? 0 : amount, at: now, reason: request.reason ?? '취소' };
  payments.change(payment, {
    status: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    cancellations: [...payment.cancellations, cancellation],
  });
  return null;
}
