// Recovers the outcome of an attempt (an issuance, a charge, a refund) whose answer was lost, by asking the service. It
// never sends the call again. Until the attempt is resolved, its order, payment or key accepts no other.

import { z } from 'zod';
import { ServiceError } from '../../payment-service/records/service-error';
import { isRecent, recentSpan } from '../../platform/clock';
import type { Context, Job } from '../../platform/context';
import { DatabaseError, VALUE_REFUSED } from '../../platform/errors';
import type { JobKind } from '../../platform/jobs';
import { isOpen } from './attempt-statuses';
import {
  ATTEMPT_NAMES,
  countPoll,
  findUnresolvedAttempts,
  markUnknown,
  type AttemptName,
  type PolledAttempt,
} from './attempt-store';
import {
  CALLER_GONE_AFTER_MS,
  firstPollAt,
  hasPolledEnough,
  nextPollAt,
  STUCK_AFTER_MS,
} from './poll-schedule';
import { reportReview } from './report-review';
import { bestEffort } from './send-once';
import { findPauses } from './service-pause-store';

/** The result of one poll. */
export type Finding =
  /** It is resolved, and its row has the outcome. */
  | { kind: 'resolved'; outcome: string }
  /** The service shows no trace of it, or (`suspicious`) something that is not known to come from it. */
  | { kind: 'not_found'; suspicious?: true }
  /** Only a person can decide it. */
  | { kind: 'doubtful'; reason: string }
  /** What the service shows does not decide it yet. */
  | { kind: 'unknown' };

/** How to recover one kind of attempt: what to ask, and what to write. */
export type Recovery<Attempt extends PolledAttempt> = {
  name: AttemptName;
  /** Whether a text can be an id. */
  isId(text: string): boolean;
  /** @param id as text */
  find(context: Context, id: string): Promise<Attempt | null>;
  /**
   * Asks the service once and resolves the attempt if it can.
   * @throws ServiceError if the service could not be asked
   */
  ask(context: Context, attempt: Attempt): Promise<Finding>;
  /**
   * Why a person has to decide after the service has shown no trace of it for long enough; null if nothing happened, so
   * that it is recorded as failed.
   */
  findDoubt?(attempt: Attempt, seen: { suspicious?: true }): string | null;
  /** Records that nothing happened. Returns the outcome. */
  recordNotFound(context: Context, attempt: Attempt): Promise<string>;
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
  name: AttemptName,
  id: string | bigint,
  reason: string,
): Promise<void> {
  await bestEffort(context, () => markUnknown(context, name, id, reason));
  await bestEffort(context, () => enqueueFirstPoll(context, name, String(id)));
}

export function enqueueFirstPoll(context: Context, name: AttemptName, id: string): Promise<void> {
  return enqueuePoll(context, name, id, firstPollAt(context.realClock.now()));
}

const jobOf = (name: AttemptName): JobKind => ({ name: `recover-${name}`, crontab: null, priority: 0 });

const payloadSchema = z.object({ id: z.string() });

/** The job of one kind of attempt: one poll. */
export function recoveryJob<Attempt extends PolledAttempt>(recovery: Recovery<Attempt>): Job {
  return {
    ...jobOf(recovery.name),
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
  if (!result.resolved) await enqueuePoll(context, recovery.name, id, result.nextPollAt);
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
  const now = context.clock.now();
  const notFound = finding.kind === 'not_found';
  if (finding.kind === 'unknown' || (notFound && !hasPolledEnough(attempt, now))) {
    await countPoll(context, recovery.name, attempt.id, { notFound });
    const ageMs = now.getTime() - attempt.startedAt.getTime();
    const at = nextPollAt(attempt.polls, context.realClock.now(), ageMs);
    return { resolved: false, nextPollAt: at, isNotFound: notFound };
  }
  const outcome = await conclude(context, recovery, attempt, finding);
  const { name, logFields } = recovery;
  context.logger.info({ event: 'attempt_recovered', attempt: name, id, ...logFields(attempt), outcome });
  return { resolved: true };
}

/** Records the outcome, unless `ask` has. */
async function conclude<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  attempt: Attempt,
  finding: Exclude<Finding, { kind: 'unknown' }>,
): Promise<string> {
  if (finding.kind === 'resolved') return finding.outcome;
  const doubt = finding.kind === 'doubtful' ? finding.reason : recovery.findDoubt?.(attempt, finding);
  if (!doubt) return recovery.recordNotFound(context, attempt);
  await recovery.leaveToPerson(context, attempt, doubt);
  reportReview(context, recovery.name, attempt.id, doubt);
  return 'needs_review';
}

async function ask<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Recovery<Attempt>,
  attempt: Attempt,
): Promise<Finding> {
  try {
    return await recovery.ask(context, attempt);
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'unknown' };
    if (error instanceof DatabaseError && error.refusesValue)
      return { kind: 'doubtful', reason: VALUE_REFUSED };
    throw error;
  }
}

/** Enqueues a poll for every attempt that may have lost its job, for example by a crash. */
export async function enqueueUnresolvedAttempts(
  context: Context,
  names: readonly AttemptName[] = ATTEMPT_NAMES,
): Promise<void> {
  const now = context.clock.now();
  const limits = {
    startedRecently: recentSpan(CALLER_GONE_AFTER_MS, now),
    dueBefore: new Date(now.getTime() - SCHEDULED_DUE_AFTER_MS),
  };
  for (const name of names) {
    for (const id of await findUnresolvedAttempts(context, name, limits))
      await enqueuePoll(context, name, id, context.realClock.now());
  }
}

/** At most one pending poll per attempt. */
function enqueuePoll(context: Context, name: AttemptName, id: string, runAt: Date): Promise<void> {
  return context.jobs.enqueue(jobOf(name), { id }, { key: `recover-${name}-${id}`, runAt });
}

/**
 * Reads the pauses that other processes were asked for. Needed before queries that have no snapshot, such as a poll or
 * a reconciliation.
 */
export async function learnPauses(context: Context): Promise<void> {
  context.service.applyPauses(await findPauses(context));
}

/** Maximum number of stuck attempts per kind to look at, the oldest first. */
const MOST_STUCK = 100;

/**
 * Attempts that polls should have resolved by now, the oldest first: the service cannot be asked, or its answer cannot be
 * verified. A charge that was due only a moment ago is not one of them. One that is due later is, because it is not known
 * whether it is scheduled.
 */
export async function findStuck<Attempt extends PolledAttempt>(
  context: Context,
  recovery: Pick<Recovery<Attempt>, 'name' | 'find'>,
): Promise<Attempt[]> {
  const now = context.clock.now();
  const startedRecently = recentSpan(STUCK_AFTER_MS, now);
  const ids = await findUnresolvedAttempts(context, recovery.name, {
    startedRecently,
    dueBefore: startedRecently.from,
  });
  // Prisma reads them with one statement.
  const attempts = await Promise.all(ids.slice(0, MOST_STUCK).map((id) => recovery.find(context, id)));
  const isNew = (time: Date | null | undefined) => !!time && isRecent(time, STUCK_AFTER_MS, now);
  return attempts.filter(
    (each): each is NonNullable<typeof each> =>
      each !== null && isOpen(each.status) && !isNew(each.startedAt) && !isNew(each.scheduleAt),
  );
}
