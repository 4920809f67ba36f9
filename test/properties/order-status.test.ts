// The status of an order is worked out from its payments.

import fc from 'fast-check';
import { heldAmount, orderStatus, type CountedPayment } from '../../src/merchant/payments/order-status';
import { orderStatusNow, paymentStatus } from '../support/arbitrary-states';
import { holds } from '../support/property';

const payments: fc.Arbitrary<CountedPayment[]> = fc.array(
  fc.record({
    status: paymentStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 0, 300, 1000),
    counted: fc.boolean(),
  }),
  { maxLength: 5 },
);

test('the status of an order is the same for its payments in any order, and stays when it is worked out again', () => {
  const inTwoOrders = payments.chain((each) =>
    fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length })),
  );
  holds(
    fc.property(orderStatusNow, inTwoOrders, (before, [one, other]) => {
      const status = orderStatus(before, one);
      expect(orderStatus(before, other)).toBe(status);
      expect(orderStatus(status, one)).toBe(status);
    }),
  );
});

test('an order is paid, in whole or part, exactly while a counted payment holds money', () => {
  holds(
    fc.property(orderStatusNow, payments, (before, list) => {
      const isPaid = list.some((each) => each.counted && heldAmount(each) > 0);
      expect(['paid', 'partially_cancelled'].includes(orderStatus(before, list))).toBe(isPaid);
    }),
  );
});
