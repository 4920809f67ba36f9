// When to check a notification again, and when to stop. Pure. The numbers are our choice: the service's description
// leaves the receiver's side open (§6.5).

import type { SyncOutcome } from '../payments/sync-payment';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The service could not be asked, or its answer could not be verified. The last gap repeats; retries end after a week.
 */
const QUEUED_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE];
const QUEUED_LIMIT_MS = 7 * 24 * 60 * MINUTE;

/** An order may be committed a moment after its notification. The gaps add up to ten minutes. */
const UNKNOWN_ORDER_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The service's replicas may lag. The gaps add up to ten minutes. */
const UNKNOWN_PAYMENT_GAPS_MS = [5 * SECOND, 20 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The notification reported a later status than the fetch showed. The gaps add up to two minutes. */
const BEHIND_CLAIM_GAPS_MS = [1, 2, 4, 8, 15, 25, 30, 35].map((seconds) => seconds * SECOND);

export type Attempt = {
  outcome: SyncOutcome;
  /** Whether the fetched status is earlier than the status in the notification. */
  isBehindReport: boolean;
  /** The delay to use instead of the gap, if the service asked for a pause or our own limit applies; null otherwise. */
  putOffMs: number | null;
  /** Attempts so far, including this one. */
  attempts: number;
  receivedAt: Date;
  now: Date;
};

/** The time of the next attempt. Returns null when nothing is left to check. */
export function nextAttemptAt(attempt: Attempt): Date | null {
  const { outcome, isBehindReport, putOffMs, attempts, receivedAt, now } = attempt;
  const gap = gapMs(outcome, isBehindReport, attempts, now.getTime() - receivedAt.getTime());
  return gap === null ? null : new Date(now.getTime() + (putOffMs ?? gap));
}

function gapMs(
  outcome: SyncOutcome,
  isBehindReport: boolean,
  attempts: number,
  ageMs: number,
): number | null {
  switch (outcome) {
    case 'queued':
      return ageMs > QUEUED_LIMIT_MS ? null : (QUEUED_GAPS_MS[attempts - 1] ?? QUEUED_GAPS_MS.at(-1) ?? null);
    case 'unknown_order':
      return UNKNOWN_ORDER_GAPS_MS[attempts - 1] ?? null;
    case 'unknown_payment':
      return UNKNOWN_PAYMENT_GAPS_MS[attempts - 1] ?? null;
    case 'recorded':
    case 'unchanged':
      return isBehindReport ? (BEHIND_CLAIM_GAPS_MS[attempts - 1] ?? null) : null;
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
      return null;
  }
}
