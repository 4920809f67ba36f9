// Derives the status of an order from its payments. Pure.
//
//     stateDiagram-v2
//       [*] --> open: registered
//       open --> awaiting_deposit: virtual account issued
//       open --> paid: paid
//       open --> failed: payment failed
//       failed --> awaiting_deposit: virtual account issued
//       failed --> paid: paid with another payment
//       awaiting_deposit --> paid: deposited, or paid with another payment
//       awaiting_deposit --> cancelled: account closed
//       paid --> partially_cancelled: refunded in part
//       paid --> cancelled: refunded
//       partially_cancelled --> cancelled: the rest refunded
//       cancelled --> paid: paid again (paid_after_close; no event after a refund)
//       open --> closed: closed by the merchant, as is failed and awaiting_deposit
//       closed --> paid: paid all the same (paid_after_close)
//
// If a payment regresses (confirmed), so does its order.

import { OrderStatus, type PaymentStatus } from '../../../generated/prisma/client';
import { statusSet } from '../../platform/status-set';
import type { OrderEvent } from '../../shop/event';
import { heldAmount } from '../attempts/held-money';

const ORDER_STATUSES = {
  open: { isPayable: true },
  failed: { isPayable: true },
  awaiting_deposit: { isPayable: true },
  paid: { isPayable: false },
  partially_cancelled: { isPayable: false },
  cancelled: { isPayable: false },
  closed: { isPayable: false },
} satisfies Record<OrderStatus, { isPayable: boolean }>;

/** Can be charged, or closed unpaid. */
export const payableOrders = statusSet(OrderStatus, (status) => ORDER_STATUSES[status].isPayable);
/** Was paid, or can no longer be paid. */
export const finishedOrders = statusSet(OrderStatus, (status) => !ORDER_STATUSES[status].isPayable);

export type CountedPayment = {
  status: PaymentStatus;
  amount: number;
  cancelAmount: number;
  /** False if the payment does not pay for its order. */
  counted: boolean;
};

/**
 * Precedence: money held, money refunded, a deposit that is awaited, a failed attempt. A closed order stays closed
 * unless money has moved.
 * Anyone who knows the id of an order can open a virtual account for it. That must not make a refunded order chargeable
 * again.
 */
export function orderStatus(before: OrderStatus, payments: readonly CountedPayment[]): OrderStatus {
  const counted = payments.filter((payment) => payment.counted);
  if (before === 'closed' && !counted.some(hasMovedMoney)) return 'closed';
  const holding = counted.filter((payment) => heldAmount(payment) > 0);
  if (holding.some((payment) => payment.cancelAmount === 0)) return 'paid';
  if (holding.length > 0) return 'partially_cancelled';
  if (counted.some(hasMovedMoney)) return 'cancelled';
  const statuses = new Set(counted.map((payment) => payment.status));
  if (statuses.has('ready')) return 'awaiting_deposit';
  if (statuses.has('cancelled')) return 'cancelled';
  if (statuses.has('failed')) return 'failed';
  return 'open';
}

/**
 * The refunded amount of the payments that count for an order. It can exceed the order's amount if the order was paid
 * twice.
 */
export function refundedAmount(payments: readonly CountedPayment[]): number {
  return payments
    .filter(({ counted, status }) => counted && (status === 'paid' || status === 'cancelled'))
    .reduce((sum, { cancelAmount }) => sum + cancelAmount, 0);
}

/**
 * The event for the shop, if the status or the refunded amount has changed; null otherwise. A change of only the
 * refunded amount is never `order.paid`, because a shop ships on that event. Example: one of two payments is refunded,
 * and the order stays paid. An order that was refunded, in full or in part, is not told as paid again, unless the refund
 * itself was taken back.
 */
export function orderEventType(
  before: { status: OrderStatus; refunded: number },
  now: { status: OrderStatus; refunded: number },
): OrderEvent['type'] | null {
  // The shop has shipped before. Another payment after a refund is a discrepancy.
  const isPaidAgain = before.refunded > 0 && now.refunded >= before.refunded && now.status === 'paid';
  if (now.status !== before.status && !isPaidAgain) return `order.${now.status}`;
  if (now.refunded === before.refunded) return null;
  return now.status === 'cancelled' ? 'order.cancelled' : 'order.partially_cancelled';
}

function hasMovedMoney({ status, cancelAmount }: CountedPayment): boolean {
  return status === 'paid' || cancelAmount > 0;
}
