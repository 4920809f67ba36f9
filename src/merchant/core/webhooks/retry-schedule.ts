// When to check a notification again, when to stop, and the jobs that do it. The numbers are our choice: the service's
// description leaves the receiver's side open (§6.5). The rows say what is due, so a lost job loses no notification.

import { EVERY_MINUTE } from '../../platform/clock';
import { stateOf, type Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import type { JobKind } from '../../platform/jobs';
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
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Whether the fetched status is earlier than the status in the notification. */
  isBehindReport: boolean;
  /** The delay to use instead of the gap, if the service asked for a pause or our own limit applies; null otherwise. */
  putOffMs: number | null;
  /** Attempts so far, including this one. */
  attempts: number;
  /** How long ago the first of its notifications arrived. */
  ageMs: number;
  /** Real time, like the result. */
  now: Date;
};

/** The time of the next attempt. Returns null when nothing is left to check. */
export function nextAttemptAt(attempt: Attempt): Date | null {
  const { outcome, reason, isBehindReport, putOffMs, attempts, ageMs, now } = attempt;
  // It is left to a person.
  if (reason === VALUE_REFUSED) return null;
  const gap = gapMs(outcome, isBehindReport, attempts, ageMs);
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

/** Checks open notifications whose next attempt is due, until none is. */
export const RETRY_DUE_NOTIFICATIONS: JobKind = {
  name: 'retry-due-notifications',
  crontab: EVERY_MINUTE,
  priority: 2,
};
/** Tries one of the notifications that wait for a service that does not answer. */
export const PROBE_SERVICE: JobKind = { name: 'probe-service', crontab: null, priority: 2 };

/** Attempts that are due within half a second of each other share one job. */
const SHARED_MS = 500;
/** Added to the time of a job, so that its rows are certainly due when it runs. */
const MARGIN_MS = 20;
/** Time between two probes of a service that does not answer, over all processes. */
const PROBE_GAP_MS = 15_000;

/** Jobs that this process has enqueued: key to time. */
const createEnqueued = () => new Map<string, number>();

/** Runs the job at this time, or up to half a second later. */
export function enqueueRetry(context: Context, dueAt: Date): Promise<void> {
  const runAtMs = Math.ceil((dueAt.getTime() + MARGIN_MS) / SHARED_MS) * SHARED_MS;
  return enqueueOnce(context, RETRY_DUE_NOTIFICATIONS, `retry-due-notifications:${runAtMs}`, runAtMs);
}

/** While the service does not answer, one notification is tried every 15 seconds, in turn. */
export function enqueueProbe(context: Context): Promise<void> {
  const nowMs = context.realClock.now().getTime();
  const runAtMs = (Math.floor(nowMs / PROBE_GAP_MS) + 1) * PROBE_GAP_MS;
  return enqueueOnce(context, PROBE_SERVICE, `probe-service:${runAtMs}`, runAtMs);
}

/** In an outage, many notifications then need one statement here instead of one each. */
async function enqueueOnce(context: Context, job: JobKind, key: string, runAtMs: number): Promise<void> {
  const waiting = stateOf(context, createEnqueued);
  const nowMs = context.realClock.now().getTime();
  for (const [other, atMs] of waiting) if (atMs <= nowMs) waiting.delete(other);
  if (waiting.has(key)) return;
  waiting.set(key, runAtMs);
  try {
    await context.jobs.enqueue(job, {}, { key, runAt: new Date(runAtMs) });
  } catch (error) {
    waiting.delete(key);
    throw error;
  }
}
