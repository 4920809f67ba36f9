// The state shown to a customer who returns from the payment window (§6.5.1), from the sync's outcome and the stored
// rows. Pure.

import { heldByPayment } from '../../core/attempts/held-money';
import type { StoredOrder } from '../../core/orders/order-store';
import { depositAccount } from '../../core/payments/deposit-account';
import type { StoredPayment } from '../../core/payments/payment-store';
import type { SyncOutcome } from '../../core/payments/sync-payment';
import type { CheckoutTexts } from './texts.ko';

export type ReturnState = keyof CheckoutTexts['checkout']['states'];

/**
 * @param outcome of the sync just made
 * @param order with its payments as stored after the sync
 * @param payment the one that the customer names; null if it is not stored under this order
 */
export function returnState(
  outcome: SyncOutcome,
  order: Pick<StoredOrder, 'status'>,
  payment: StoredPayment | null,
  now: Date,
): ReturnState {
  switch (outcome) {
    case 'recorded':
      return payment ? stateOf(payment, order, now) : 'not_known_yet';
    case 'unchanged':
      // Not stored: the amount differs and nothing is paid, so no deposit is asked for.
      return payment ? stateOf(payment, order, now) : 'checking';
    case 'queued':
      // What was verified before is the latest known state. Only a failure may be outdated (§3).
      return payment && payment.status !== 'failed' ? stateOf(payment, order, now) : 'not_known_yet';
    case 'amount_mismatch':
    case 'currency_mismatch':
      return 'checking';
    // To a visitor, an order of ours, an order that does not exist and a payment of another order look the same.
    case 'unknown_payment':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_billing_key':
      return 'not_known_yet';
  }
}

function stateOf(payment: StoredPayment, order: Pick<StoredOrder, 'status'>, now: Date): ReturnState {
  const { status, counted } = payment;
  const held = heldByPayment(payment);
  if (held > 0 && !counted) return 'checking';
  if (held > 0) return held < payment.amount ? 'partly_refunded' : 'paid';
  if (status === 'paid' || status === 'cancelled') return cancelledState(payment);
  // Another payment has paid for the order: do not ask for another payment or deposit.
  if (order.status === 'paid' || order.status === 'partially_cancelled') return 'paid_otherwise';
  return status === 'failed' ? 'failed' : depositState(payment, order, now);
}

/** §2.4, pay_method. How and when a refund shows depends on it; the newer generation does not name it (§9). */
const BY_METHOD: Readonly<Record<string, ReturnState>> = { card: 'cancelled', vbank: 'cancelled_deposit' };

/** A cancelled payment that was never paid was a virtual account without a deposit. */
function cancelledState({ status, cancelAmount, paidAt, payMethod }: StoredPayment): ReturnState {
  if (status === 'cancelled' && cancelAmount === 0n && paidAt === null) return 'cancelled_unpaid';
  return BY_METHOD[payMethod ?? ''] ?? 'cancelled_other';
}

/** A `ready` payment without an account was started in the window and not completed there. */
function depositState(
  payment: StoredPayment,
  order: Pick<StoredOrder, 'status'>,
  now: Date,
): 'awaiting_deposit' | 'deposit_late' | 'deposit_over' | 'not_known_yet' {
  const account = depositAccount(payment);
  if (account === null) return 'not_known_yet';
  if (order.status !== 'awaiting_deposit') return 'deposit_over';
  // Only the bank knows whether it still takes a deposit. One that arrives all the same pays for the order.
  return account.until === null || now <= account.until ? 'awaiting_deposit' : 'deposit_late';
}
