// A plan that is paid, changed, paused and resumed at any times: no date of its calendar is charged twice, and none is left
// out except those that passed while it was paused or while a payment was late.

import fc from 'fast-check';
import { paymentDate } from '../../../src/merchant/options/subscriptions/subscription-calendar';
import type { StoredSubscription } from '../../../src/merchant/options/subscriptions/subscription-store';
import {
  replaceCycle,
  resumeCycle,
  toNextCycle,
} from '../../../src/merchant/options/subscriptions/wanted-change';
import { holds } from '../../support/property';

const DAY_MS = 24 * 60 * 60_000;
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const interval = fc.constantFrom('day', 'week', 'month', 'year');
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('pay', 'change', 'pause', 'resume'),
    laterMs: fc.oneof(fc.constant(0), fc.nat(3 * DAY_MS), fc.nat(400 * DAY_MS)),
  }),
  { minLength: 1, maxLength: 30 },
);

test('each date of a plan is charged at most once, and only dates that have passed unpaid are left out', () => {
  holds(
    fc.property(moment, interval, steps, (first, every, happens) => {
      let plan = {
        firstPaymentAt: first,
        interval: every,
        status: 'active',
        cycle: 1,
        replacedCycles: 0,
        attempt: 0,
        paymentAt: first,
        customerUid: 'key',
        amount: 1n,
        name: 'Tea',
        nextCustomerUid: null,
        nextAmount: null,
        nextName: null,
        isPausing: false,
        isReplacing: false,
      } as StoredSubscription;
      let now = first.getTime() - DAY_MS;
      const paid: { cycle: number; at: number }[] = [];
      const write = ({ changes }: { changes: Partial<StoredSubscription> }) =>
        (plan = { ...plan, ...changes });
      for (const { does, laterMs } of happens) {
        now += laterMs;
        const at = new Date(now);
        const isAhead = plan.paymentAt > at;
        const { cycle, paymentAt } = plan;
        if (does === 'pay' && plan.status === 'active') {
          // Nothing is charged before its date.
          now = Math.max(now, paymentAt.getTime());
          paid.push({ cycle, at: paymentAt.getTime() });
          write(toNextCycle(plan, new Date(now)));
          expect(plan.paymentAt.getTime()).toBeGreaterThan(now);
        } else if (does === 'change' && plan.status === 'active' && isAhead) {
          plan = { ...plan, nextAmount: plan.amount + 1n, isReplacing: true };
          write(replaceCycle(plan, at));
          // The same date with another order.
          expect([plan.paymentAt, plan.cycle, plan.nextAmount]).toEqual([paymentAt, cycle + 1, null]);
        } else if (does === 'pause' && plan.status === 'active') {
          write(replaceCycle({ ...plan, isPausing: true, isReplacing: true }, at));
          expect([plan.status, plan.isPausing, plan.isReplacing]).toEqual(['paused', false, false]);
        } else if (does === 'resume' && plan.status === 'paused') {
          write(resumeCycle(plan, at));
          expect(plan.paymentAt.getTime()).toBeGreaterThan(now);
          // The first date ahead, which may be the one that it was paused before.
          if (isAhead) expect(plan.paymentAt).toEqual(paymentAt);
          const before = paymentDate(first, every, plan.cycle - plan.replacedCycles - 1);
          expect(isAhead || before <= at).toBe(true);
        }
        // The date always follows from the number.
        if (plan.status === 'active')
          expect(plan.paymentAt).toEqual(paymentDate(first, every, plan.cycle - plan.replacedCycles));
      }
      expect(new Set(paid.map((each) => each.at)).size).toBe(paid.length);
      expect(new Set(paid.map((each) => each.cycle)).size).toBe(paid.length);
    }),
  );
});
