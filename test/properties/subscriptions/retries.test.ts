// The retries of a failed payment of a subscription.

import fc from 'fast-check';
import { retryAt } from '../../../src/merchant/options/subscriptions/subscription-calendar';
import { holds } from '../../support/property';

const DAY_MS = 24 * 60 * 60_000;
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const lateMs = fc.oneof(fc.nat(60_000), fc.nat(8 * DAY_MS));

test('a payment of a subscription is retried at most three times, in the future and at least a day apart', () => {
  holds(
    fc.property(moment, fc.nat(6), lateMs, (due, tried, late) => {
      const now = new Date(due.getTime() + late);
      const next = retryAt(tried, due, now);
      expect(next === null).toBe(tried >= 3);
      if (next === null) return;
      expect(next.getTime()).toBeGreaterThan(now.getTime());
      expect(next.getTime() - due.getTime()).toBeGreaterThanOrEqual(DAY_MS);
      // On time, or after the whole gap if the previous attempt was late.
      const gapMs = [DAY_MS, 2 * DAY_MS, 4 * DAY_MS][tried] ?? 0;
      expect(next.getTime()).toBe((late < gapMs ? due : now).getTime() + gapMs);
    }),
  );
});
