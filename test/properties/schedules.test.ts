// Retry schedules: every retry is later, and retries end, whatever the clock shows.

import fc from 'fast-check';
import { firstPollAt, nextPollAt } from '../../src/merchant/core/attempts/poll-schedule';
import { nextDeliveryAt } from '../../src/merchant/core/events/deliver-events';
import { nextAttemptAt, type Attempt } from '../../src/merchant/core/webhooks/retry-schedule';
import { holds } from '../support/property';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const attempts = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100_000 }));
const lateMs = fc.oneof(fc.nat(60_000), fc.nat(8 * DAY_MS));

test('deliveries are retried at growing gaps for more than three days', () => {
  holds(
    fc.property(moment, fc.array(lateMs, { maxLength: 20 }), (start, lates) => {
      let now = start;
      let gapMs = 0;
      let failed = 1;
      for (; ; failed += 1) {
        const next = nextDeliveryAt(failed, now);
        if (next === null) break;
        expect(next.getTime() - now.getTime()).toBeGreaterThan(gapMs);
        gapMs = next.getTime() - now.getTime();
        // The job may run late, which does not make later deliveries earlier.
        now = new Date(next.getTime() + (lates[failed] ?? 0));
      }
      expect(now.getTime() - start.getTime()).toBeGreaterThan(3 * DAY_MS);
      expect(failed).toBe(10);
      expect(nextDeliveryAt(failed + 1, now)).toBeNull();
    }),
  );
});

const outcomes = ['queued', 'unknown_order', 'unknown_payment', 'recorded', 'unchanged'] as const;
const attempt: fc.Arbitrary<Attempt> = fc.record({
  outcome: fc.constantFrom(...outcomes, 'amount_mismatch', 'currency_mismatch', 'order_mismatch'),
  reason: fc.constant(null),
  isBehindReport: fc.boolean(),
  putOffMs: fc.option(fc.integer({ min: 1, max: 3_600_000 })),
  attempts,
  ageMs: lateMs,
  now: moment,
});

test('a payment is fetched again after the gap or the pause, and never after a match or a mismatch', () => {
  holds(
    fc.property(attempt, (each) => {
      const { outcome, isBehindReport, now, putOffMs } = each;
      const next = nextAttemptAt(each);
      const isDone = (outcome === 'recorded' || outcome === 'unchanged') && !isBehindReport;
      if (outcome.endsWith('_mismatch') || isDone) expect(next).toBeNull();
      if (next === null) return;
      const gapMs = next.getTime() - now.getTime();
      expect(gapMs).toBeGreaterThan(0);
      if (putOffMs === null) expect(gapMs).toBeLessThanOrEqual(15 * MINUTE_MS);
      else expect(gapMs).toBe(putOffMs);
    }),
  );
});

test('a lost answer is polled for at growing gaps of at most an hour', () => {
  holds(
    fc.property(fc.nat(1000), moment, (polls, now) => {
      const gapMs = nextPollAt(polls, now).getTime() - now.getTime();
      expect(gapMs).toBeGreaterThan(firstPollAt(now).getTime() - now.getTime());
      expect(gapMs).toBeLessThanOrEqual(60 * MINUTE_MS);
      expect(nextPollAt(polls + 1, now).getTime() - now.getTime()).toBeGreaterThanOrEqual(gapMs);
    }),
  );
});
