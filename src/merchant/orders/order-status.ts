// What a merchant wants to know about an order, worked out from its payments. Pure.

export type OrderStatus =
  'open' | 'awaiting_deposit' | 'paid' | 'partially_cancelled' | 'cancelled' | 'failed';
export type PaymentStatus = 'ready' | 'paid' | 'cancelled' | 'failed';

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

/** Money held beats a deposit that is awaited, which beats money given back, which beats a failed attempt. */
export function orderStatus(payments: readonly CountedPayment[]): OrderStatus {
  const counted = payments.filter((payment) => payment.counted);
  const holding = counted.filter((payment) => heldAmount(payment) > 0);
  if (holding.some((payment) => payment.cancelAmount === 0)) return 'paid';
  if (holding.length > 0) return 'partially_cancelled';
  const statuses = new Set(counted.map((payment) => payment.status));
  if (statuses.has('ready')) return 'awaiting_deposit';
  if (statuses.has('cancelled') || statuses.has('paid')) return 'cancelled';
  if (statuses.has('failed')) return 'failed';
  return 'open';
}
