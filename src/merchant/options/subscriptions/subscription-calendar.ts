// When the cycles of a subscription are due. Pure. Days are those of Seoul, which is nine hours ahead of UTC all year: it
// has no daylight saving.

import type { SubscriptionInterval } from '../../../generated/prisma/client';
import { DAY_MS, SEOUL_OFFSET_MS } from '../../platform/clock';

/** From a failed payment to the next attempt: on the first, the third and the seventh day after the date of the cycle. */
const RETRY_GAPS_MS = [DAY_MS, 2 * DAY_MS, 4 * DAY_MS];

/**
 * The date of a cycle, counted from the first payment: it does not depend on when an earlier cycle was paid. A day that a
 * month does not have is its last day, and the months after it keep the day of the first payment.
 * @param cycle from 1 on, which is the first payment itself
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

/**
 * The cycle after one that is paid: the next one whose date is still to come. A period that went by while its payment was
 * late is left out, number and all: otherwise a member whose card is mended would pay for several periods at once.
 */
export function cycleAfter(
  {
    firstPaymentAt,
    interval,
    cycle,
  }: { firstPaymentAt: Date; interval: SubscriptionInterval; cycle: number },
  now: Date,
): { cycle: number; paymentAt: Date } {
  let next = cycle + 1;
  while (paymentDate(firstPaymentAt, interval, next) <= now) next += 1;
  return { cycle: next, paymentAt: paymentDate(firstPaymentAt, interval, next) };
}

/**
 * When a payment that has failed is tried again. An attempt that was late itself, such as after an outage, keeps the gap.
 * @param attempt how often it has been tried again before
 * @param paymentAt when the attempt that has failed was due
 * @returns null after the last one
 */
export function retryAt(attempt: number, paymentAt: Date, now: Date): Date | null {
  const gap = RETRY_GAPS_MS[attempt];
  if (gap === undefined) return null;
  const planned = new Date(paymentAt.getTime() + gap);
  return planned > now ? planned : new Date(now.getTime() + gap);
}

function monthsAfter(start: Date, months: number): Date {
  // The fields of UTC of the shifted time are those of Seoul.
  const seoul = new Date(start.getTime() + SEOUL_OFFSET_MS);
  const year = seoul.getUTCFullYear();
  const month = seoul.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Date.UTC(year, month, Math.min(seoul.getUTCDate(), lastDay));
  const timeOfDay = (start.getTime() + SEOUL_OFFSET_MS) % DAY_MS;
  return new Date(day + timeOfDay - SEOUL_OFFSET_MS);
}
