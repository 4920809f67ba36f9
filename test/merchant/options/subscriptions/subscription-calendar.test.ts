// The dates of a subscription, by examples and by properties.

import fc from 'fast-check';
import {
  cycleAfter,
  paymentDate,
} from '../../../../src/merchant/options/subscriptions/subscription-calendar';
import { holds } from '../../../support/property';

const DAY_MS = 24 * 3_600_000;

/** A time in Seoul as text: "2027-01-31 09:00:00". */
const inSeoul = (date: Date) =>
  new Date(date.getTime() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const dayOf = (date: Date) => inSeoul(date).slice(0, 10);

test('the 31st is the last day of a shorter month and the 31st again after it', () => {
  const first = new Date('2027-01-31T09:00:00+09:00');
  const days = Array.from({ length: 14 }, (_, index) => dayOf(paymentDate(first, 'month', index + 1)));
  expect(days.map((day) => day.slice(5)).join(' ')).toBe(
    '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31 02-29',
  );
});

test('the day is that of Seoul, also if it is still the 30th in UTC', () => {
  expect(inSeoul(paymentDate(new Date('2027-01-30T15:30:00Z'), 'month', 2))).toBe('2027-02-28 00:30:00');
  expect(inSeoul(paymentDate(new Date('2027-01-30T14:59:59Z'), 'month', 3))).toBe('2027-03-30 23:59:59');
});

const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const interval = fc.constantFrom('day', 'week', 'month', 'year');
const cycle = fc.integer({ min: 1, max: 600 });

test('each cycle is later than the one before, at the same time of day', () => {
  holds(
    fc.property(moment, interval, cycle, (first, every, n) => {
      const [one, next] = [paymentDate(first, every, n), paymentDate(first, every, n + 1)];
      expect(paymentDate(first, every, 1)).toEqual(first);
      expect(next.getTime()).toBeGreaterThan(one.getTime());
      expect(next.getTime() - one.getTime()).toBeLessThanOrEqual(366 * DAY_MS);
      expect(inSeoul(next).slice(11)).toBe(inSeoul(first).slice(11));
    }),
  );
});

test.each(['month', 'year'] as const)(
  'by %s: the day of the first payment, or the last day of the month',
  (every) => {
    holds(
      fc.property(moment, cycle, (first, n) => {
        const date = paymentDate(first, every, n);
        const day = (of: Date) => Number(dayOf(of).slice(8));
        const isLastDay = dayOf(new Date(date.getTime() + DAY_MS)).endsWith('-01');
        expect(day(date) === day(first) || (isLastDay && day(date) < day(first))).toBe(true);
        const months = (of: Date) => Number(dayOf(of).slice(0, 4)) * 12 + Number(dayOf(of).slice(5, 7));
        expect(months(date) - months(first)).toBe((n - 1) * (every === 'year' ? 12 : 1));
      }),
    );
  },
);

test('the next cycle is in the future, and no future period is skipped', () => {
  holds(
    fc.property(moment, interval, cycle, fc.nat(40 * DAY_MS), (first, every, n, lateMs) => {
      const now = new Date(paymentDate(first, every, n).getTime() + lateMs);
      const place = { firstPaymentAt: first, interval: every, cycle: n, replacedCycles: 0 };
      const next = cycleAfter(place, now);
      expect(next.cycle).toBeGreaterThan(n);
      expect(next.paymentAt.getTime()).toBeGreaterThan(now.getTime());
      const isFirstOfThem = next.cycle === n + 1 || paymentDate(first, every, next.cycle - 1) <= now;
      expect(isFirstOfThem).toBe(true);
    }),
  );
});
