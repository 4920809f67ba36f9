// The status of an order follows from its payments. Pure.
//
//     stateDiagram-v2
//       [*] --> open: registered
//       open --> awaiting_deposit: virtual account issued
//       open --> paid: paid
//       open --> failed: payment failed
//       failed --> awaiting_deposit: virtual account issued
//       failed --> paid: paid with another payment
//       awaiting_deposit --> paid: deposited
//       awaiting_deposit --> cancelled: account closed
//       paid --> partially_cancelled: refunded in part
//       paid --> cancelled: refunded
//       partially_cancelled --> cancelled: the rest refunded
//       cancelled --> paid: paid again (paid_after_close)
//       open --> closed: closed by the merchant, as is failed, and a deposit whose time is over
//       closed --> paid: paid all the same (paid_after_close)
//
// A payment whose record goes back (confirmed) takes its order back with it.

import type { OrderStatus, PaymentStatus } from '../../generated/prisma/client';

export type CountedPayment = {
  status: PaymentStatus;
  amount: number;
  cancelAmount: number;
  /** False where the payment does not pay for its order. */
  counted: boolean;
};

/**
 * The money that a payment still holds. A partial cancellation can be shown as `cancelled` with `cancel_amount` below
 * `amount`, so amounts decide; a `cancelled` one without a cancelled amount was never paid (§2.4 does not say).
 */
export function heldAmount(payment: Omit<CountedPayment, 'counted'>): number {
  if (payment.status === 'paid') return payment.amount - payment.cancelAmount;
  if (payment.status === 'cancelled' && payment.cancelAmount > 0)
    return payment.amount - payment.cancelAmount;
  return 0;
}

/**
 * Money held beats a deposit that is awaited, which beats money given back, which beats a failed attempt. An order that
 * the merchant has closed stays closed until there is money, or was.
 */
export function orderStatus(before: OrderStatus, payments: readonly CountedPayment[]): OrderStatus {
  const counted = payments.filter((payment) => payment.counted);
  if (before === 'closed' && !counted.some(hasMovedMoney)) return 'closed';
  const holding = counted.filter((payment) => heldAmount(payment) > 0);
  if (holding.some((payment) => payment.cancelAmount === 0)) return 'paid';
  if (holding.length > 0) return 'partially_cancelled';
  const statuses = new Set(counted.map((payment) => payment.status));
  if (statuses.has('ready')) return 'awaiting_deposit';
  if (statuses.has('cancelled') || statuses.has('paid')) return 'cancelled';
  if (statuses.has('failed')) return 'failed';
  return 'open';
}

function hasMovedMoney({ status, cancelAmount }: CountedPayment): boolean {
  return status === 'paid' || cancelAmount > 0;
}
