// Calculates the time spans of reconciliation. Pure. All times are the service's, in whole seconds as in its API. The
// host's clock does not matter.

import { LONGEST_PERIOD_MS } from '../../payment-service/payments';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** A reconciliation starts this long before the end of the last one, because lists may show records late. */
const OVERLAP_MS = HOUR;
/**
 * When a night begins: 04:00 in Korea. Once a night a reconciliation compares the longest period again. It finds changes
 * that move no time of their status: an account that is issued long after its payment started, and perhaps a second
 * partial cancellation (the document does not say which one `cancelled_at` names).
 */
const NIGHT_BEGINS_MS = 19 * HOUR;
/** The position is saved after each window, so at most this much is compared again after an interruption. */
const WINDOW_MS = 7 * DAY;
/** Margin for clock drift and for orders registered after they were paid. */
const BEFORE_FIRST_ORDER_MS = DAY;

export type Span = { from: Date; to: Date };

export type Position = {
  /** Every list has been compared up to this time. */
  comparedTo: Date;
  /** When the last comparison of ninety days began. It is still under way while `comparedTo` is earlier. */
  ninetyDaysAt: Date;
};

type Start = {
  /** Null before the first reconciliation. */
  position: Position | null;
  now: Date;
  historyBeginsAt: Date;
  /** Whether a comparison of ninety days was requested. One that is under way is continued, not restarted. */
  ninetyDays: boolean;
};

/** The position from which a reconciliation continues. */
export function startingPosition({ position, now, historyBeginsAt, ninetyDays }: Start): Position {
  if (position === null) return { comparedTo: historyBeginsAt, ninetyDaysAt: now };
  const { comparedTo, ninetyDaysAt } = position;
  const isClockBehind = Math.max(+comparedTo, +ninetyDaysAt) > +now + OVERLAP_MS;
  const underWay = comparedTo < ninetyDaysAt;
  const due = !underWay && (ninetyDays || +ninetyDaysAt < beginOfNight(now));
  if (!isClockBehind && !due) return position;
  const longAgo = Math.max(+historyBeginsAt, +now - LONGEST_PERIOD_MS);
  return { comparedTo: new Date(Math.min(+comparedTo, longAgo)), ninetyDaysAt: now };
}

/** The beginning of the last night before now. */
function beginOfNight(now: Date): number {
  return Math.floor((+now - NIGHT_BEGINS_MS) / DAY) * DAY + NIGHT_BEGINS_MS;
}

/** The span that is left to compare. */
export function spanFrom({ comparedTo }: Position, now: Date): Span {
  return { from: wholeSecond(Math.min(+comparedTo, +now) - OVERLAP_MS), to: now };
}

/**
 * When the history to compare begins: an order is registered before it is paid. The first order's time is by the host's
 * clock. That clock may differ from the service's as it does now, or may have agreed with a service clock that was
 * moved since. The earlier of the two results counts.
 * @param firstOrderAt null if there is no order
 */
export function historyBegin(firstOrderAt: Date | null, hostNow: Date, now: Date): Date {
  if (firstOrderAt === null) return now;
  const offByMs = Math.max(0, +hostNow - +now);
  return wholeSecond(Math.min(+firstOrderAt - offByMs, +now) - BEFORE_FIRST_ORDER_MS);
}

/** The windows of a span, oldest first. The second between two windows belongs to both. */
export function windowsOf({ from, to }: Span): Span[] {
  const windows: Span[] = [];
  for (let begin = +from; begin < +to; begin += WINDOW_MS)
    windows.push({ from: new Date(begin), to: new Date(Math.min(+to, begin + WINDOW_MS)) });
  return windows;
}

export function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / SECOND) * SECOND);
}
