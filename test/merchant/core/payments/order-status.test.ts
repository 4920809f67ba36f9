// The status of an order depends only on its counted payments.

import fc from 'fast-check';
import type { OrderStatus } from '../../../../src/generated/prisma/client';
import { heldAmount } from '../../../../src/merchant/core/attempts/held-money';
import {
  finishedOrders,
  orderEventType,
  orderStatus,
  payableOrders,
  refundedAmount,
  type CountedPayment,
} from '../../../../src/merchant/core/payments/order-status';
import { orderStatusNow, paymentStatus } from '../../../support/builders';
import { holds } from '../../../support/property';

const payment = (status: CountedPayment['status'], cancelAmount = 0, counted = true): CountedPayment => ({
  status,
  amount: 1000,
  cancelAmount,
  counted,
});
const paid = payment('paid');
const ready = payment('ready');
const failed = payment('failed');
const partlyRefunded = payment('cancelled', 300);
const refunded = payment('cancelled', 1000);
const neverPaid = payment('cancelled');
const paidByAnother = payment('paid', 0, false);

test.each<[string, CountedPayment[], OrderStatus, before?: OrderStatus]>([
  ['no payment', [], 'open'],
  ['a failed one', [failed], 'failed'],
  ['a virtual account', [failed, ready], 'awaiting_deposit'],
  ['paid', [failed, paid], 'paid'],
  ['paid twice', [paid, paid], 'paid'],
  ['a part refunded', [partlyRefunded], 'partially_cancelled'],
  ['a part refunded, shown as paid', [payment('paid', 300)], 'partially_cancelled'],
  ['all refunded', [refunded], 'cancelled'],
  ['all refunded, shown as paid', [payment('paid', 1000)], 'cancelled'],
  ['one of two refunded', [refunded, paid], 'paid'],
  ['refunded, then a failed attempt', [refunded, failed], 'cancelled'],
  ['refunded, and a virtual account', [refunded, ready], 'cancelled'],
  ['a closed account, and one that is open', [neverPaid, ready], 'awaiting_deposit'],
  ['a closed account alone', [neverPaid], 'cancelled'],
  ['paid, and a virtual account', [paid, ready], 'paid'],
  ['one paid and one refunded in part', [partlyRefunded, paid], 'paid'],
  ['paid with the key of another member', [paidByAnother], 'open'],
  ['nothing since it was closed', [], 'closed', 'closed'],
  ['no money since it was closed', [failed, ready, neverPaid], 'closed', 'closed'],
  ['money of another member since it was closed', [paidByAnother], 'closed', 'closed'],
  ['money since it was closed', [paid], 'paid', 'closed'],
  ['money refunded since it was closed', [refunded], 'cancelled', 'closed'],
])('an order with %s is %s', (_name, payments, status, before = 'open') => {
  expect(orderStatus(before, payments)).toBe(status);
});

test('an order can be charged until it is paid, refunded or closed', () => {
  expect(payableOrders.list).toEqual(['open', 'awaiting_deposit', 'failed']);
  expect(finishedOrders.list).toEqual(['paid', 'partially_cancelled', 'cancelled', 'closed']);
});

const payments: fc.Arbitrary<CountedPayment[]> = fc.array(
  fc.record({
    status: paymentStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 300, 1000),
    counted: fc.boolean(),
  }),
  { maxLength: 5 },
);

test('an order is paid, in full or in part, exactly while a counted payment holds money', () => {
  holds(
    fc.property(orderStatusNow, payments, (before, list) => {
      const isPaid = list.some((each) => each.counted && heldAmount(each) > 0);
      expect(['paid', 'partially_cancelled'].includes(orderStatus(before, list))).toBe(isPaid);
    }),
  );
});

test.each<[CountedPayment['status'], held: [whole: number, less300: number, less1000: number]]>([
  ['paid', [1000, 700, 0]],
  // Without a cancelled amount it was not paid.
  ['cancelled', [0, 700, 0]],
  ['ready', [0, 0, 0]],
  ['failed', [0, 0, 0]],
])('a payment of 1000 that is %s, with nothing, 300 or all of it cancelled, holds %j', (status, held) => {
  expect([0, 300, 1000].map((cancelled) => heldAmount(payment(status, cancelled)))).toEqual(held);
});

test.each<[string, CountedPayment[], number]>([
  ['nothing', [paid, ready, failed], 0],
  ['parts, however they are shown', [partlyRefunded, payment('paid', 200)], 500],
  ['all of two payments', [refunded, refunded], 2000],
  ['a payment that does not count', [payment('cancelled', 1000, false), payment('paid', 300)], 300],
  ['an account that was closed without a deposit', [neverPaid], 0],
  ['what was never paid', [payment('failed', 300), payment('ready', 300)], 0],
])('refunded: %s', (_name, payments, amount) => {
  expect(refundedAmount(payments)).toBe(amount);
});

type Told = [status: OrderStatus, refunded: number];
const partly = (amount: number): Told => ['partially_cancelled', amount];
test.each<[string, before: Told, now: Told, string | null]>([
  ['nothing', ['paid', 0], ['paid', 0], null],
  ['paid', ['open', 0], ['paid', 0], 'paid'],
  ['a part refunded', ['paid', 0], partly(300), 'partially_cancelled'],
  ['another part refunded', partly(300), partly(500), 'partially_cancelled'],
  ['the rest refunded', partly(500), ['cancelled', 1000], 'cancelled'],
  ['one of two payments refunded', ['paid', 0], ['paid', 1000], 'partially_cancelled'],
  ['a second payment, made and given back', ['cancelled', 1000], ['cancelled', 2000], 'cancelled'],
  ['a part taken back', partly(500), partly(300), 'partially_cancelled'],
  ['a part refunded, and the other payment no longer counts', partly(300), ['cancelled', 300], 'cancelled'],
  ['all taken back', ['cancelled', 1000], ['paid', 0], 'paid'],
  ['O2 another payment after a full refund', ['cancelled', 1000], ['paid', 1000], null],
  ['O2 another payment after a part was refunded', partly(300), ['paid', 300], null],
  ['a payment after an account without a deposit was closed', ['cancelled', 0], ['paid', 0], 'paid'],
  ['given back while a deposit is awaited', ['paid', 0], ['awaiting_deposit', 1000], 'awaiting_deposit'],
])('the event: %s', (_name, before, now, event) => {
  const of = ([status, refundedNow]: Told) => ({ status, refunded: refundedNow });
  expect(orderEventType(of(before), of(now))).toBe(event && `order.${event}`);
});
