// Compares the payments in the books with those at the service, order by order.

import { cancelledAmount, type Payment } from '../../../src/sandbox/payments/payment';
import type { AllRows } from './prepared-rows';
import type { Stage } from './stage';
import type { StoryOrder, Tale } from './tale';

export type StoredPayment = {
  svc_uid: string;
  merchant_uid: string;
  status: string;
  amount: number;
  cancel_amount: number;
};
export type StoredOrder = { merchant_uid: string; status: string; amount: number };

/** Returns one sentence for each problem. */
export function checkMoney({ stage, orders }: Tale, rows: AllRows): string[] {
  const problems: string[] = [];
  const stored = rows.of<StoredPayment>('payments');
  for (const { merchantUid, amount, isRegistered } of withOthers(orders, rows)) {
    const there = paymentsAtService(stage, merchantUid);
    const order = rows.of<StoredOrder>('orders').find((each) => each.merchant_uid === merchantUid);
    if (!order && isRegistered) problems.push(`${merchantUid} is not there`);
    // A payment for an order that was never registered is not in the books.
    const genuine = there.filter((payment) => payment.amount === amount && (order || isByKey(payment)));
    const expected = inWords(genuine.map(toStored));
    const found = inWords(stored.filter((payment) => payment.merchant_uid === merchantUid));
    if (found !== expected) problems.push(`${merchantUid}: the books have ${found}, the service ${expected}`);
    const status = expectedStatus(genuine);
    const isClosed = order?.status === 'closed' && (status === 'open' || status === 'failed');
    if (order && order.status !== status && !isClosed)
      problems.push(`${merchantUid} is ${order.status} and not ${status}`);
    const holding = genuine.filter((payment) => held(payment) > 0);
    const charged = there.filter((payment) => isByUs(payment) && held(payment) > 0);
    if (charged.length > 1) problems.push(`${merchantUid} was charged ${charged.length} times`);
    const toRefund = rows
      .of<{ merchant_uid: string; kind: string }>('discrepancies')
      .filter((each) => each.merchant_uid === merchantUid && PAID_AGAIN.includes(each.kind));
    if (order && toRefund.length < holding.length - 1)
      problems.push(`${merchantUid} was paid ${holding.length} times, and nobody is told`);
  }
  return problems;
}

/** The orders of the story and of the periods of subscriptions. */
function withOthers(orders: readonly StoryOrder[], rows: AllRows): Omit<StoryOrder, 'memberId'>[] {
  const others = rows
    .of<StoredOrder>('orders')
    .filter(({ merchant_uid: uid }) => !orders.some(({ merchantUid }) => merchantUid === uid));
  return [
    ...orders,
    ...others.map(({ merchant_uid: merchantUid, amount }) => ({ merchantUid, amount, isRegistered: false })),
  ];
}

/** The payments of an order, read directly from the sandbox. */
export function paymentsAtService({ atService }: Stage, merchantUid: string): Payment[] {
  return atService.payments.ofOrder(merchantUid);
}

const isByKey = ({ customerUid }: Payment): boolean => customerUid !== null;
/** With a stored key, or a card that was typed in. The window sends no id of a charge. */
const isByUs = ({ customerUid, customData }: Payment): boolean => customerUid !== null || customData !== null;

const PAID_AGAIN = ['duplicate_payment', 'paid_after_close'];

/** The amount that is not refunded. */
export const held = (payment: Payment): number =>
  payment.status === 'paid' || payment.status === 'cancelled' ? payment.amount - cancelledAmount(payment) : 0;

function toStored(payment: Payment): StoredPayment {
  const { svcUid, merchantUid, status, amount } = payment;
  return {
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    status,
    amount,
    cancel_amount: cancelledAmount(payment),
  };
}

function inWords(payments: readonly StoredPayment[]): string {
  return payments
    .map((each) => `${each.svc_uid} ${each.status} ${each.amount}, ${each.cancel_amount} cancelled`)
    .sort()
    .join('; ');
}

function expectedStatus(payments: readonly Payment[]): string {
  const holding = payments.filter((payment) => held(payment) > 0);
  if (holding.some((payment) => cancelledAmount(payment) === 0)) return 'paid';
  if (holding.length > 0) return 'partially_cancelled';
  if (payments.some(({ status }) => status === 'cancelled' || status === 'paid')) return 'cancelled';
  return payments.some(({ status }) => status === 'failed') ? 'failed' : 'open';
}
