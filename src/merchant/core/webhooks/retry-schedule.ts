// When to check a notification again, when to stop, and the jobs that do it. The numbers are our choice: the service's
// description leaves the receiver's side open (§6.5). The rows say what is due, so a lost job loses no notification.

import { runTogether } from '../../platform/batch';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import type { JobKind } from '../../platform/jobs';
import type { SyncOutcome } from '../payments/sync-payment';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The service could not be asked, or its answer could not be verified. The last gap repeats; retries end after a week.
 */
const QUEUED_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE];
/**
 * While the service does not answer, a process tries one notification in this time (retry-notifications.ts). No gap is
 * longer then, so that the whole backlog is due when the service answers again.
 */
export const PROBE_GAP_MS = 15 * SECOND;
const QUEUED_LIMIT_MS = 7 * 24 * 60 * MINUTE;

/** An order may be committed a moment after its notification. The gaps add up to ten minutes. */
const UNKNOWN_ORDER_GAPS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The service's replicas may lag. The gaps add up to ten minutes. */
const UNKNOWN_PAYMENT_GAPS_MS = [5 * SECOND, 20 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];

/** The notification reported a later status than the fetch showed. The gaps add up to two minutes. */
const BEHIND_CLAIM_GAPS_MS = [1, 2, 4, 8, 15, 25, 30, 35].map((seconds) => seconds * SECOND);

export type Attempt = {
  outcome: SyncOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Whether the fetched status is earlier than the status in the notification. */
  isBehindReport: boolean;
  /** The delay to use instead of the gap, if the service asked for a pause or our own limit applies; null otherwise. */
  putOffMs: number | null;
  /** Whether the service does not answer, so that it is queued with all others. */
  isOutage?: boolean;
  /** From 0 to 1: spreads what was put off at the same time. */
  spread?: number;
  /** Attempts so far, including this one. */
  attempts: number;
  /** How long ago the first of its notifications arrived. */
  ageMs: number;
  /** Real time, like the result. */
  now: Date;
};

/** The time of the next attempt. Returns null when nothing is left to check. */
export function nextAttemptAt(attempt: Attempt): Date | null {
  // It is left to a person.
  if (attempt.reason === VALUE_REFUSED) return null;
  const gap = gapMs(attempt);
  return gap === null ? null : new Date(attempt.now.getTime() + gap);
}

/** The older it is, the longer a paced notification waits, so that a flood is not checked again and again. */
const pacedGapMs = (putOffMs: number, { ageMs, spread = 0.5 }: Attempt): number =>
  (putOffMs + ageMs / 4) * (0.5 + spread);

function gapMs(attempt: Attempt): number | null {
  const { outcome, reason, isBehindReport, putOffMs, isOutage = false, attempts, ageMs } = attempt;
  const gap = ownGapMs(outcome, isBehindReport, attempts, ageMs);
  if (gap === null) return null;
  if (putOffMs !== null) return reason === 'paced' ? pacedGapMs(putOffMs, attempt) : putOffMs;
  return isOutage ? Math.min(gap, PROBE_GAP_MS) : gap;
}

function ownGapMs(
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
    case 'unknown_billing_key':
      return null;
  }
}

/** Checks open notifications whose next attempt is due, until none is. */
export const RETRY_DUE_NOTIFICATIONS: JobKind = {
  name: 'retry-due-notifications',
  crontab: EVERY_MINUTE,
  priority: 2,
};

/** Attempts that are due within half a second of each other share one job. */
const SHARED_MS = 500;
/** Added to the time of a job, so that its rows are certainly due when it runs. */
const MARGIN_MS = 20;

/** Runs the job at this time, or up to half a second later. */
export function enqueueRetry(context: Context, dueAt: Date): Promise<void> {
  return runTogether(context, enqueueRetries, dueAt);
}

async function enqueueRetries({ jobs }: Context, dueAt: readonly Date[]): Promise<readonly undefined[]> {
  const slots = dueAt.map((due) => Math.ceil((due.getTime() + MARGIN_MS) / SHARED_MS) * SHARED_MS);
  for (const runAtMs of new Set(slots))
    await jobs.enqueue(
      RETRY_DUE_NOTIFICATIONS,
      {},
      { key: `${RETRY_DUE_NOTIFICATIONS.name}:${runAtMs}`, runAt: new Date(runAtMs) },
    );
  return dueAt.map(() => undefined);
}
