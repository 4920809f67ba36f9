// When the cycles of a subscription are due. Pure. Days are days in Seoul, which is UTC+9 all year, without daylight
// saving time.

import type { SubscriptionInterval } from '../../../generated/prisma/client';
import { DAY_MS, SEOUL_OFFSET_MS } from '../../platform/clock';

/** From a failed payment to the next try: the first, third and seventh day after the cycle's date. */
const RETRY_GAPS_MS = [DAY_MS, 2 * DAY_MS, 4 * DAY_MS];

/**
 * The date of a cycle, counted from the first payment, independent of when earlier cycles were paid. A day that a month
 * does not have becomes its last day; later months keep the day of the first payment.
 * @param cycle starts at 1, the first payment itself; without the cycles that were replaced
 */
export function paymentDate(firstPaymentAt: Date, interval: SubscriptionInterval, cycle: number): Date {
  const passed = cycle - 1;
  switch (interval) {
    case 'day':
      return new Date(firstPaymentAt.getTime() + passed * DAY_MS);
    case 'week':
      return new Date(firstPaymentAt.getTime() + passed * 7 * DAY_MS);
    case 'month':
      return monthsAfter(firstPaymentAt, passed);
    case 'year':
      return monthsAfter(firstPaymentAt, passed * 12);
  }
}

/** A cycle of a plan. `replacedCycles` is the number of earlier ones that had the date of the cycle after them. */
type Place = { firstPaymentAt: Date; interval: SubscriptionInterval; cycle: number; replacedCycles: number };

/**
 * The cycle after a paid one: the next one with a date in the future. Periods that passed while the payment was late
 * are skipped, with their numbers: otherwise a member who fixes the card would pay for several periods at once.
 */
export function cycleAfter(place: Place, now: Date): { cycle: number; paymentAt: Date } {
  return cycleAhead({ ...place, cycle: place.cycle + 1 }, now);
}

/** The first cycle, from this one on, with a date in the future: a resumed plan continues with it. */
export function cycleAhead(
  { firstPaymentAt, interval, cycle, replacedCycles }: Place,
  now: Date,
): { cycle: number; paymentAt: Date } {
  const dateOf = (each: number) => paymentDate(firstPaymentAt, interval, each - replacedCycles);
  let next = cycle;
  while (dateOf(next) <= now) next += 1;
  return { cycle: next, paymentAt: dateOf(next) };
}

/**
 * When to retry a failed payment. A try that was late itself, for example after an outage, keeps the full gap.
 * @param attempt number of retries so far
 * @param paymentAt when the failed try was due
 * @returns null after the last retry
 */
export function retryAt(attempt: number, paymentAt: Date, now: Date): Date | null {
  const gap = RETRY_GAPS_MS[attempt];
  if (gap === undefined) return null;
  const planned = new Date(paymentAt.getTime() + gap);
  return planned > now ? planned : new Date(now.getTime() + gap);
}

function monthsAfter(start: Date, months: number): Date {
  // The UTC fields of the shifted time are Seoul's date and time.
  const seoul = new Date(start.getTime() + SEOUL_OFFSET_MS);
  const year = seoul.getUTCFullYear();
  const month = seoul.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Date.UTC(year, month, Math.min(seoul.getUTCDate(), lastDay));
  const timeOfDay = (start.getTime() + SEOUL_OFFSET_MS) % DAY_MS;
  return new Date(day + timeOfDay - SEOUL_OFFSET_MS);
}
