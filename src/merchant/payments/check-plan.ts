// When a payment is looked at again, and when to stop. Pure.
// Numbers of our own; the document leaves the receiver's side open (§6.5).

import type { NotificationOutcome } from './notification';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The service could not be asked, or what it said could not be judged. The last gap repeats, then a week is enough. */
const QUEUED_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE];
const QUEUED_LIMIT_MS = 7 * 24 * 60 * MINUTE;

/** An order may be committed a moment after its notification: ten minutes. */
const UNKNOWN_ORDER_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The service's own copies may lag: five looks in ten minutes. */
const UNKNOWN_PAYMENT_GAPS_MS = [5 * SECOND, 20 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The notification promised more than the fetch showed: eight looks in two minutes. */
const STATUS_BEHIND_GAPS_MS = [1, 2, 4, 8, 15, 25, 30, 35].map((seconds) => seconds * SECOND);

/** A process that dies while it checks leaves a row that is due after this. */
export const ABANDONED_AFTER_MS = MINUTE;

export type Look = {
  outcome: NotificationOutcome;
  /** The fetched status is behind the notification's word. */
  statusBehind: boolean;
  /** Looks so far, this one included. */
  checks: number;
  receivedAt: Date;
  now: Date;
};

/** The time of the next look, or null when nothing is left to check. */
export function nextCheckAt({ outcome, statusBehind, checks, receivedAt, now }: Look): Date | null {
  const gap = gapMs(outcome, statusBehind, checks, now.getTime() - receivedAt.getTime());
  return gap === null ? null : new Date(now.getTime() + gap);
}

function gapMs(
  outcome: NotificationOutcome,
  statusBehind: boolean,
  checks: number,
  ageMs: number,
): number | null {
  switch (outcome) {
    case 'queued':
      return ageMs > QUEUED_LIMIT_MS ? null : (QUEUED_GAPS_MS[checks - 1] ?? QUEUED_GAPS_MS.at(-1) ?? null);
    case 'unknown_order':
      return UNKNOWN_ORDER_GAPS_MS[checks - 1] ?? null;
    case 'unknown_payment':
      return UNKNOWN_PAYMENT_GAPS_MS[checks - 1] ?? null;
    case 'recorded':
    case 'unchanged':
      return statusBehind ? (STATUS_BEHIND_GAPS_MS[checks - 1] ?? null) : null;
    case 'test':
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
      return null;
  }
}
