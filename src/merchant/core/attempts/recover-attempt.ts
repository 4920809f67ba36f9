// Finds out what became of an attempt (an issuance, a charge, a refund) whose answer was lost, by asking the service.
// It never sends the call again. Until the attempt is settled, its order, payment or key takes no other one.

import { z } from 'zod';
import type { Context, Job } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import type { JobKind } from '../../platform/jobs';
import {
  ATTEMPT_KINDS,
  countPoll,
  findPauses,
  findUnresolvedAttempts,
  markUnknown,
  type AttemptKind,
  type OpenAttempt,
} from './attempt-store';
import { CALLER_GONE_AFTER_MS, firstPollAt, hasPolledEnough, nextPollAt } from './poll-schedule';
import { bestEffort } from './send-once';

/** What one poll shows of an attempt. */
export type Finding =
  /** It is settled: the outcome is in its row. */
  | { kind: 'settled'; outcome: string }
  /** The service shows no trace of it, or (`suspicious`) something that is not known to come from it. */
  | { kind: 'not_found'; suspicious?: true }
  /** What the service shows decides nothing yet. */
  | { kind: 'unknown' };

/** How one kind of attempt is recovered: what is asked, and what is settled by the answer. */
export type Recovery<Attempt extends OpenAttempt> = {
  kind: AttemptKind;
  /** Returns null once the attempt is settled. */
  find(context: Context, id: string): Promise<Attempt | null>;
  /** Asks the service once and settles what it shows. @throws ServiceError where it could not be asked */
  ask(context: Context, attempt: Attempt): Promise<Finding>;
  /** Settles an attempt of which the service has shown no trace for long enough. Returns the outcome. */
  settleNotFound(context: Context, attempt: Attempt, seen: { suspicious: boolean }): Promise<string>;
  /** Identifiers for the log line. */
  logFields(attempt: Attempt): Record<string, string>;
};

/** A scheduled payment is made at its time and notified; a little later we ask for ourselves. */
const SCHEDULED_DUE_AFTER_MS = 30_000;

/** After a call without an answer: the row says so, and the first poll is enqueued. Never throws. */
export async function pollLater(
  context: Context,
  kind: AttemptKind,
  id: string | bigint,
  reason: string,
): Promise<void> {
  await bestEffort(context, () => markUnknown(context, kind, id, reason));
  await bestEffort(context, () => enqueuePoll(context, kind, String(id), firstPollAt(context.clock.now())));
}

const JOBS = {
  issuance: { name: 'recover-issuance', crontab: null, priority: 0 },
  charge: { name: 'recover-charge', crontab: null, priority: 0 },
  refund: { name: 'recover-refund', crontab: null, priority: 0 },
} as const satisfies Record<AttemptKind, JobKind>;

const payloadSchema = z.object({ id: z.string() });

/** The job of one kind of attempt: one poll for the outcome. */
export function recoveryJob<Attempt extends OpenAttempt>(recovery: Recovery<Attempt>): Job {
  return {
    ...JOBS[recovery.kind],
    run: (context, _stopping, payload) => recoverAttempt(context, recovery, payloadSchema.parse(payload).id),
  };
}

/**
 * One poll, and the next one enqueued where it settled nothing.
 * @throws DatabaseError; the job then runs again
 */
export async function recoverAttempt<Attempt extends OpenAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  id: string,
): Promise<void> {
  const result = await pollOnce(context, recovery, id);
  if (!result.settled) await enqueuePoll(context, recovery.kind, id, result.nextPollAt);
}

/** One poll. A service that cannot be asked settles nothing. */
export async function pollOnce<Attempt extends OpenAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  id: string,
): Promise<{ settled: true } | { settled: false; nextPollAt: Date }> {
  const attempt = await recovery.find(context, id);
  if (!attempt) return { settled: true };
  await learnPauses(context);
  const finding = await ask(context, recovery, attempt);
  const now = context.clock.now();
  const notFound = finding.kind === 'not_found';
  if (finding.kind === 'unknown' || (notFound && !hasPolledEnough(attempt, now))) {
    await countPoll(context, recovery.kind, id, { notFound });
    return { settled: false, nextPollAt: nextPollAt(attempt.polls, now) };
  }
  const outcome = notFound
    ? await recovery.settleNotFound(context, attempt, { suspicious: finding.suspicious ?? false })
    : finding.outcome;
  const { kind, logFields } = recovery;
  context.logger.info({ event: 'attempt_recovered', attempt: kind, id, ...logFields(attempt), outcome });
  return { settled: true };
}

async function ask<Attempt extends OpenAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  attempt: Attempt,
): Promise<Finding> {
  try {
    return await recovery.ask(context, attempt);
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'unknown' };
    throw error;
  }
}

/** Enqueues a poll for everything that may have lost its job, such as by a crash. */
export async function enqueueUnresolvedAttempts(
  context: Context,
  kinds: readonly AttemptKind[] = ATTEMPT_KINDS,
): Promise<void> {
  const now = context.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const limits = { startedBefore: before(CALLER_GONE_AFTER_MS), dueBefore: before(SCHEDULED_DUE_AFTER_MS) };
  for (const kind of kinds) {
    for (const id of await findUnresolvedAttempts(context, kind, limits))
      await enqueuePoll(context, kind, id, now);
  }
}

/** Of several polls for one attempt, one waits. */
export function enqueuePoll(context: Context, kind: AttemptKind, id: string, runAt: Date): Promise<void> {
  return context.jobs.enqueue(JOBS[kind], { id }, { key: `recover-${kind}-${id}`, runAt });
}

/** Before queries that no snapshot comes before, such as a poll or a reconciliation: pauses that other processes were asked for. */
export async function learnPauses(context: Context): Promise<void> {
  context.service.applyPauses(await findPauses(context));
}
