// A person's decision about an attempt or a discrepancy: who, why, and the errors if it is refused. A decision records
// what is already true, so it must not contradict what the payment service shows. It moves no money.

import { isRecent } from '../../platform/clock';
import { defineErrors, HttpError, type ErrorDefinition } from '../../platform/errors';
import type { SentFrom } from '../../platform/http/log-fields';
import { isDecidable, phaseOf, type AttemptStatus } from './attempt-statuses';
import { MAY_STILL_SHOW_MS } from './poll-schedule';

/** Errors of a refused decision. */
export const attemptErrors = defineErrors({
  already_settled: {
    status: 409,
    message: 'It was already resolved: by another person, by a poll, or by a matching payment.',
    remedy: 'Read it again in its list, which shows who, when and why.',
  },
  attempt_pending: {
    status: 409,
    message: 'Its outcome is still being polled for.',
    remedy: 'Wait a minute and read it again in its list.',
  },
  service_contradicts: {
    status: 409,
    message: 'The payment service contradicts this decision; the message says what it shows.',
    remedy: 'Compare it with the service’s console and record what is true. See docs/06-runbook.md.',
  },
});

export type Decision = {
  /** Who decides. */
  by: string;
  /** Why. Stored in the row, but not logged. */
  note: string;
  /** For the log. Absent for a command. */
  sent?: SentFrom;
};

/** What the service shows that contradicts a decision, as a sentence in each language. The API has the English one. */
export type Contradiction = Readonly<Record<'en' | 'ko', string>>;

export type NotDecided =
  | { kind: 'not_found' }
  /** Another person, a poll or a payment has resolved it. */
  | { kind: 'already_settled' }
  /** Its call is under way, or the service may still show its outcome. */
  | { kind: 'pending' }
  /** The service makes its call later. Revoking the schedule resolves it. */
  | { kind: 'scheduled' }
  /** What the service says contradicts it. */
  | { kind: 'contradicted'; says: Contradiction };

export type DecisionOutcome = { kind: 'settled' } | NotDecided;

/**
 * Why a person cannot resolve an attempt now; null if they can. A `pending` attempt becomes `unknown` or is resolved
 * within about a minute. The service may still carry out an `unknown` attempt, or show it late, so it is left to the
 * polls until they could conclude that nothing happened.
 * @param attempt `scheduleAt`: when the service carries out a scheduled charge
 */
export function findStatusProblem(
  attempt: { status: AttemptStatus; startedAt: Date; scheduleAt?: Date | null } | null,
  now: Date,
): NotDecided | null {
  if (attempt === null) return { kind: 'not_found' };
  const { status, startedAt, scheduleAt = null } = attempt;
  const phase = phaseOf(status);
  if (status === 'scheduled') return { kind: 'scheduled' };
  if (phase === 'pending') return { kind: 'pending' };
  if (!isDecidable(status)) return { kind: 'already_settled' };
  const mayBeCarriedOut = scheduleAt !== null && now.getTime() - scheduleAt.getTime() < MAY_STILL_SHOW_MS;
  const isFresh = isRecent(startedAt, MAY_STILL_SHOW_MS, now) || mayBeCarriedOut;
  return phase === 'unknown' && isFresh ? { kind: 'pending' } : null;
}

/** A refused decision, with what the service shows, so that a page can say it in the reader's language. */
export class ContradictedError extends HttpError {
  constructor(readonly contradiction: Contradiction) {
    super(attemptErrors.service_contradicts, contradiction.en);
  }
}

/**
 * @param notFound the error for an unknown id
 * @param scheduled the error for an attempt that is scheduled
 */
export function decisionError(
  outcome: NotDecided,
  notFound: ErrorDefinition,
  scheduled: ErrorDefinition = attemptErrors.attempt_pending,
): HttpError {
  switch (outcome.kind) {
    case 'not_found':
      return new HttpError(notFound);
    case 'already_settled':
      return new HttpError(attemptErrors.already_settled);
    case 'pending':
      return new HttpError(attemptErrors.attempt_pending);
    case 'scheduled':
      return new HttpError(scheduled);
    case 'contradicted':
      return new ContradictedError(outcome.says);
  }
}

export const DECISION_ERRORS: readonly ErrorDefinition[] = Object.values(attemptErrors);
