// The balance of a payment during partial refunds.

import fc from 'fast-check';
import { heldAmount, heldByPayment, heldByRecord } from '../../src/merchant/core/attempts/held-money';
import { judgePayment } from '../../src/merchant/core/payments/judge-payment';
import type { StoredPayment } from '../../src/merchant/core/payments/payment-store';
import { findAccountProblem } from '../../src/merchant/core/refunds/refund-payment';
import { evidence, paymentRecord, snapshotWith } from '../support/builders';
import { holds } from '../support/property';

const status = fc.constantFrom('ready' as const, 'paid' as const, 'cancelled' as const, 'failed' as const);
const amount = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const payment = fc
  .tuple(status, amount, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([is, paid, share]) => ({ status: is, amount: paid, cancelAmount: Math.floor(paid * share) }))
  .filter(({ amount: paid, cancelAmount }) => cancelAmount <= paid);

const development = { config: { production: false } };

test('the row and the record of a payment have the same balance, and no balance is negative', () => {
  const any = fc.record({ status, amount, cancelAmount: amount });
  holds(
    fc.property(payment, any, (each, odd) => {
      const row = { ...each, amount: BigInt(each.amount), cancelAmount: BigInt(each.cancelAmount) };
      expect(heldByPayment(row as unknown as StoredPayment)).toBe(
        heldByRecord(development, paymentRecord(each)),
      );
      expect(heldByRecord(development, paymentRecord(odd))).toBeGreaterThanOrEqual(0);
      expect(heldByRecord(development, paymentRecord({ ...odd, status: 'unknown' }))).toBeNull();
    }),
  );
});

const parts = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 });

test('partial refunds of at most the balance return exactly the paid amount and cancel the order', () => {
  const shownAs = fc.constantFrom('paid' as const, 'cancelled' as const);
  holds(
    fc.property(parts, shownAs, (amounts, is) => {
      const total = amounts.reduce((sum, each) => sum + each, 0);
      let books = snapshotWith(paymentRecord({ amount: total }), { amount: total, status: 'paid' });
      let givenBack = 0;
      for (const part of amounts) {
        expect(books.payments.map(heldAmount)).toEqual([total - givenBack]);
        givenBack += part;
        const record = paymentRecord({ amount: total, cancelAmount: givenBack, status: is });
        const orderStatus = givenBack < total ? 'partially_cancelled' : 'cancelled';
        expect(judgePayment(evidence({ snapshot: books, record }))).toMatchObject({
          outcome: 'recorded',
          orderStatus,
          // The amounts of the events add up to the total.
          refunded: { before: givenBack - part, now: givenBack },
          event: `order.${orderStatus}`,
          discrepancies: [],
        });
        books = snapshotWith(record, { amount: total, status: orderStatus });
      }
      expect(books.payments.map(heldAmount)).toEqual([0]);
    }),
  );
});

test('a refund account is required exactly for a deposit, and refused otherwise', () => {
  const method = fc.option(fc.oneof(fc.constantFrom('vbank', 'card', 'VBANK', 'trans'), fc.string()));
  const account = fc.option(fc.constant({ holder: 'Kim', bank: '004', account: '1' }));
  holds(
    fc.property(method, account, (payMethod, refundAccount) => {
      const isDeposit = payMethod === 'vbank';
      const fits = payMethod === null || isDeposit === (refundAccount !== null);
      expect(findAccountProblem(payMethod, refundAccount as never) === null).toBe(fits);
    }),
  );
});
