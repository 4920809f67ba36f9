// The status of an order depends on its counted payments alone.

import fc from 'fast-check';
import type { OrderStatus } from '../../../src/generated/prisma/client';
import {
  heldAmount,
  orderEventType,
  orderStatus,
  refundedAmount,
  type CountedPayment,
} from '../../../src/merchant/payments/order-status';
import { holds } from '../../support/property';

const payment = (status: CountedPayment['status'], cancelAmount = 0, counted = true): CountedPayment => ({
  status,
  amount: 1000,
  cancelAmount,
  counted,
});

test.each<[string, CountedPayment[], string]>([
  ['no payment', [], 'open'],
  ['a failed one', [payment('failed')], 'failed'],
  ['a virtual account', [payment('failed'), payment('ready')], 'awaiting_deposit'],
  ['paid', [payment('failed'), payment('paid')], 'paid'],
  ['paid twice', [payment('paid'), payment('paid')], 'paid'],
  ['a part given back', [payment('cancelled', 300)], 'partially_cancelled'],
  ['a part given back, shown as paid', [payment('paid', 300)], 'partially_cancelled'],
  ['all given back', [payment('cancelled', 1000)], 'cancelled'],
  ['all given back, shown as paid', [payment('paid', 1000)], 'cancelled'],
  ['one of two given back', [payment('cancelled', 1000), payment('paid')], 'paid'],
  ['given back, then a failed attempt', [payment('cancelled', 1000), payment('failed')], 'cancelled'],
  ['given back, and a virtual account', [payment('cancelled', 1000), payment('ready')], 'cancelled'],
  ['a closed account, and one that is open', [payment('cancelled'), payment('ready')], 'awaiting_deposit'],
  ['paid, and a virtual account', [payment('paid'), payment('ready')], 'paid'],
  ['one whole and one given back in part', [payment('cancelled', 300), payment('paid')], 'paid'],
  ['paid with a key of somebody else', [payment('paid', 0, false)], 'open'],
])('%s', (_name, payments, status) => {
  expect(orderStatus('open', payments)).toBe(status);
});

test.each<[CountedPayment['status'], cancelAmount: number, held: number]>([
  ['paid', 0, 1000],
  ['paid', 300, 700],
  ['paid', 1000, 0],
  ['cancelled', 300, 700],
  ['cancelled', 1000, 0],
  // Never paid.
  ['cancelled', 0, 0],
  ['ready', 0, 0],
  ['ready', 300, 0],
  ['failed', 0, 0],
  ['failed', 300, 0],
])('a payment of 1000 that is %s, %d of it cancelled, holds %d', (status, cancelAmount, held) => {
  expect(heldAmount(payment(status, cancelAmount))).toBe(held);
});

test.each<[string, CountedPayment[], string]>([
  ['no payment', [], 'closed'],
  ['a failed one', [payment('failed')], 'closed'],
  ['a virtual account', [payment('ready')], 'closed'],
  ['an account that was closed without a deposit', [payment('cancelled')], 'closed'],
  ['money', [payment('paid')], 'paid'],
  ['money with a key of somebody else', [payment('paid', 0, false)], 'closed'],
  ['money that was given back', [payment('cancelled', 1000)], 'cancelled'],
])('a closed order with %s is %s', (_name, payments, status) => {
  expect(orderStatus('closed', payments)).toBe(status);
});

test('an order is paid, in whole or part, exactly while a counted payment holds money; the order of payments is nothing', () => {
  const anyPayment = fc
    .record({
      status: fc.constantFrom('ready', 'paid', 'cancelled', 'failed'),
      amount: fc.integer({ min: 1, max: 5000 }),
      cancelled: fc.integer({ min: 0, max: 100 }),
      counted: fc.boolean(),
    })
    .map(({ cancelled, ...rest }): CountedPayment => ({
      ...rest,
      cancelAmount: Math.floor((rest.amount * cancelled) / 100),
    }));
  holds(
    fc.property(fc.array(anyPayment, { maxLength: 5 }), (payments) => {
      const status = orderStatus('open', payments);
      const holds = payments.some((each) => each.counted && heldAmount(each) > 0);
      expect(['paid', 'partially_cancelled'].includes(status)).toBe(holds);
      expect(orderStatus('open', [...payments].reverse())).toBe(status);
    }),
  );
});

test.each<[string, CountedPayment[], number]>([
  ['nothing', [payment('paid'), payment('ready'), payment('failed')], 0],
  ['parts, however they are shown', [payment('cancelled', 300), payment('paid', 200)], 500],
  ['all of two payments', [payment('cancelled', 1000), payment('cancelled', 1000)], 2000],
  ['a payment that does not count', [payment('cancelled', 1000, false), payment('paid', 300)], 300],
  ['an account that was closed without a deposit', [payment('cancelled')], 0],
  ['what was never paid', [payment('failed', 300), payment('ready', 300)], 0],
])('given back: %s', (_name, payments, amount) => {
  expect(refundedAmount(payments)).toBe(amount);
});

type Told = [status: OrderStatus, refunded: number];
test.each<[string, before: Told, now: Told, string | null]>([
  ['nothing', ['paid', 0], ['paid', 0], null],
  ['paid', ['open', 0], ['paid', 0], 'order.paid'],
  ['a part given back', ['paid', 0], ['partially_cancelled', 300], 'order.partially_cancelled'],
  [
    'another part given back',
    ['partially_cancelled', 300],
    ['partially_cancelled', 500],
    'order.partially_cancelled',
  ],
  ['the rest given back', ['partially_cancelled', 500], ['cancelled', 1000], 'order.cancelled'],
  ['one of two payments given back', ['paid', 0], ['paid', 1000], 'order.partially_cancelled'],
  [
    'a second payment, made and given back unseen',
    ['cancelled', 1000],
    ['cancelled', 2000],
    'order.cancelled',
  ],
  [
    'a part taken back',
    ['partially_cancelled', 500],
    ['partially_cancelled', 300],
    'order.partially_cancelled',
  ],
  ['all taken back', ['cancelled', 1000], ['paid', 0], 'order.paid'],
  [
    'given back while a deposit is awaited',
    ['paid', 0],
    ['awaiting_deposit', 1000],
    'order.awaiting_deposit',
  ],
])('the event: %s', (_name, before, now, type) => {
  const of = ([status, refunded]: Told) => ({ status, refunded });
  expect(orderEventType(of(before), of(now))).toBe(type);
});
