// Enqueues the jobs that check notifications again. The rows say what is due, so a lost job loses no notification.

import { EVERY_MINUTE } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { JobKind } from '../../platform/jobs';

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
const enqueued = new WeakMap<Context, Map<string, number>>();

/** Runs the job at this time, or up to half a second later. */
export function enqueueRetry(context: Context, dueAt: Date): Promise<void> {
  const runAtMs = Math.ceil((dueAt.getTime() + MARGIN_MS) / SHARED_MS) * SHARED_MS;
  return enqueueOnce(context, RETRY_DUE_NOTIFICATIONS, `retry-due-notifications:${runAtMs}`, runAtMs);
}

/** While the service does not answer, one notification is tried every 15 seconds, in turn. */
export function enqueueProbe(context: Context): Promise<void> {
  const nowMs = context.clock.now().getTime();
  const runAtMs = (Math.floor(nowMs / PROBE_GAP_MS) + 1) * PROBE_GAP_MS;
  return enqueueOnce(context, PROBE_SERVICE, `probe-service:${runAtMs}`, runAtMs);
}

/** In an outage, many notifications then need one statement here instead of one each. */
async function enqueueOnce(context: Context, job: JobKind, key: string, runAtMs: number): Promise<void> {
  const waiting = enqueued.get(context) ?? new Map<string, number>();
  enqueued.set(context, waiting);
  const nowMs = context.clock.now().getTime();
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
