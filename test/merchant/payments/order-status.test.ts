// The status of an order depends on its counted payments alone.

import fc from 'fast-check';
import { heldAmount, orderStatus, type CountedPayment } from '../../../src/merchant/payments/order-status';
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
