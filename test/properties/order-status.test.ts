// The status of an order is worked out from its payments.

import fc from 'fast-check';
import { orderStatus } from '../../src/merchant/payments/order-status';
import { orderStatusNow, paymentStatus } from '../support/arbitrary-states';
import { holds } from '../support/property';

test('the status of an order is the same for its payments in any order, and stays when it is worked out again', () => {
  const counted = fc.record({
    status: paymentStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 300, 1000),
    counted: fc.boolean(),
  });
  const list = fc
    .array(counted, { maxLength: 5 })
    .chain((each) => fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length })));
  holds(
    fc.property(orderStatusNow, list, (before, [one, other]) => {
      const status = orderStatus(before, one);
      expect(orderStatus(before, other)).toBe(status);
      expect(orderStatus(status, one)).toBe(status);
    }),
  );
});

test('a closed order stays closed exactly until money has moved on a payment that counts', () => {
  const counted = fc.record({
    status: paymentStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 0, 300),
    counted: fc.boolean(),
  });
  holds(
    fc.property(fc.array(counted, { maxLength: 5 }), (list) => {
      const hasMoved = list.some((each) => each.counted && (each.status === 'paid' || each.cancelAmount > 0));
      expect(orderStatus('closed', list) === 'closed').toBe(!hasMoved);
    }),
  );
});
