// Recovers the outcome of an attempt (an issuance, a charge, a refund) whose answer was lost, by asking the service. It
// never sends the call again. Until the attempt is resolved, its order, payment or key accepts no other.

import { z } from 'zod';
import { recentSpan } from '../../platform/clock';
import type { Context, Job } from '../../platform/context';
import { DatabaseError, ServiceError, VALUE_REFUSED } from '../../platform/errors';
import type { JobKind } from '../../platform/jobs';
import { isOpen } from './attempt-statuses';
import {
  ATTEMPT_KINDS,
  countPoll,
  findUnresolvedAttempts,
  markUnknown,
  type AttemptKind,
  type PolledAttempt,
} from './attempt-store';
import { CALLER_GONE_AFTER_MS, firstPollAt, hasPolledEnough, nextPollAt } from './poll-schedule';
import { reportReview } from './report-review';
import { bestEffort } from './send-once';
import { findPauses } from './service-pause-store';

/** The result of one poll. */
export type Finding =
  /** It is resolved, and its row has the outcome. */
  | { kind: 'resolved'; outcome: string }
  /** The service shows no trace of it, or (`suspicious`) something that is not known to come from it. */
  | { kind: 'not_found'; suspicious?: true }
  /** What the service shows does not decide it yet. */
  | { kind: 'unknown' };

/** How to recover one kind of attempt: what to ask, and what to write. */
export type Recovery<Attempt extends PolledAttempt> = {
  kind: AttemptKind;
  find(context: Context, id: string): Promise<Attempt | null>;
  /**
   * Asks the service once and resolves the attempt if it can.
   * @throws ServiceError if the service could not be asked
   */
  ask(context: Context, attempt: Attempt): Promise<Finding>;
  /** Resolves an attempt after the service has shown no trace of it for long enough. Returns the outcome. */
  recordNotFound(context: Context, attempt: Attempt, seen: { suspicious: boolean }): Promise<string>;
  /** Stores that only a person can resolve it. */
  leaveToPerson(context: Context, attempt: Attempt, reason: string): Promise<void>;
  /** Identifiers for the log line. */
  logFields(attempt: Attempt): Record<string, string>;
};

/** A scheduled payment is made and notified at its time. We ask for ourselves a little later. */
const SCHEDULED_DUE_AFTER_MS = 30_000;

/** After a lost answer: updates the row and enqueues the first poll. Never throws. */
export async function pollLater(
  context: Context,
  kind: AttemptKind,
  id: string | bigint,
  reason: string,
): Promise<void> {
  await bestEffort(context, () => markUnknown(context, kind, id, reason));
  await bestEffort(context, () => enqueueFirstPoll(context, kind, String(id)));
}

export function enqueueFirstPoll(context: Context, kind: AttemptKind, id: string): Promise<void> {
  return enqueuePoll(context, kind, id, firstPollAt(context.realClock.now()));
}

const jobOf = (kind: AttemptKind): JobKind => ({ name: `recover-${kind}`, crontab: null, priority: 0 });

const payloadSchema = z.object({ id: z.string() });

/** The job of one kind of attempt: one poll. */
export function recoveryJob<Attempt extends PolledAttempt>(recovery: Recovery<Attempt>): Job {
  return {
    ...jobOf(recovery.kind),
    run: (context, _stopping, payload) => recoverAttempt(context, recovery, payloadSchema.parse(payload).id),
  };
}

/**
 * Polls once, and enqueues the next poll if that did not resolve it.
 * @throws DatabaseError; the job then runs again
 */
export async function recoverAttempt<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  id: string,
): Promise<void> {
  const result = await pollOnce(context, recovery, id);
  if (!result.resolved) await enqueuePoll(context, recovery.kind, id, result.nextPollAt);
}

/** Polls once. If the service cannot be asked, nothing is resolved. */
export async function pollOnce<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  id: string,
): Promise<{ resolved: true } | { resolved: false; nextPollAt: Date; isNotFound: boolean }> {
  const attempt = await recovery.find(context, id);
  if (!attempt || !isOpen(attempt.status)) return { resolved: true };
  await learnPauses(context);
  const finding = await ask(context, recovery, attempt);
  if (finding === VALUE_REFUSED) {
    await recovery.leaveToPerson(context, attempt, VALUE_REFUSED);
    reportReview(context, recovery.kind, attempt.id, VALUE_REFUSED);
    return { resolved: true };
  }
  const now = context.clock.now();
  const notFound = finding.kind === 'not_found';
  if (finding.kind === 'unknown' || (notFound && !hasPolledEnough(attempt, now))) {
    await countPoll(context, recovery.kind, attempt.id, { notFound });
    const ageMs = now.getTime() - attempt.startedAt.getTime();
    const at = nextPollAt(attempt.polls, context.realClock.now(), ageMs);
    return { resolved: false, nextPollAt: at, isNotFound: notFound };
  }
  const outcome = notFound
    ? await recovery.recordNotFound(context, attempt, { suspicious: finding.suspicious ?? false })
    : finding.outcome;
  const { kind, logFields } = recovery;
  context.logger.info({ event: 'attempt_recovered', attempt: kind, id, ...logFields(attempt), outcome });
  return { resolved: true };
}

async function ask<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  attempt: Attempt,
): Promise<Finding | typeof VALUE_REFUSED> {
  try {
    return await recovery.ask(context, attempt);
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'unknown' };
    if (error instanceof DatabaseError && error.refusesValue) return VALUE_REFUSED;
    throw error;
  }
}

/** Enqueues a poll for every attempt that may have lost its job, for example by a crash. */
export async function enqueueUnresolvedAttempts(
  context: Context,
  kinds: readonly AttemptKind[] = ATTEMPT_KINDS,
): Promise<void> {
  const now = context.clock.now();
  const limits = {
    startedRecently: recentSpan(CALLER_GONE_AFTER_MS, now),
    dueBefore: new Date(now.getTime() - SCHEDULED_DUE_AFTER_MS),
  };
  for (const kind of kinds) {
    for (const id of await findUnresolvedAttempts(context, kind, limits))
      await enqueuePoll(context, kind, id, context.realClock.now());
  }
}

/** At most one pending poll per attempt. */
function enqueuePoll(context: Context, kind: AttemptKind, id: string, runAt: Date): Promise<void> {
  return context.jobs.enqueue(jobOf(kind), { id }, { key: `recover-${kind}-${id}`, runAt });
}

/**
 * Reads the pauses that other processes were asked for. Needed before queries that have no snapshot, such as a poll or
 * a reconciliation.
 */
export async function learnPauses(context: Context): Promise<void> {
  context.service.applyPauses(await findPauses(context));
}
