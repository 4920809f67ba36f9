// What a person decides about an attempt or a discrepancy that no program may decide: who, why, and why it is refused. A
// decision says what is true by now: what the payment service shows must not contradict it. It moves no money.

import { defineErrors, HttpError, type ErrorDefinition } from '../../platform/errors';
import { isSettleable, type AttemptStatus } from './attempt-statuses';
import { CONTRADICTION_MESSAGES, contradictionText, type Contradiction } from './contradiction';
import { MAY_STILL_SHOW_MS } from './poll-schedule';

/** A decision that is refused. */
export const attemptErrors = defineErrors({
  already_settled: {
    status: 409,
    message: 'It is settled already: by another person, by a poll, or by a payment that fits.',
    remedy: 'Read it again in its list: who, when and why stand there.',
  },
  attempt_pending: {
    status: 409,
    message: 'Its outcome is being found out.',
    remedy: 'Wait a minute and read it again in its list.',
  },
  service_contradicts: {
    status: 409,
    message: 'What the payment service shows contradicts this decision; the message says what it shows.',
    remedy: 'Compare it with the service’s own console, and decide by what is true. See docs/06-runbook.md.',
  },
});

export type Decision = {
  /** Who decides. */
  by: string;
  /** Why. It is kept in the row and not logged. */
  note: string;
};

export type NotDecided =
  | { kind: 'not_found' }
  /** Somebody else, a poll or a payment has settled it. */
  | { kind: 'already_settled' }
  /** Its call is under way, or the service may still show what became of it. */
  | { kind: 'pending' }
  /** What the service says speaks against it. */
  | { kind: 'contradicted'; says: Contradiction };

export type DecisionOutcome = { kind: 'settled' } | NotDecided;

/**
 * Why an attempt cannot be settled by a person. Returns null if it can. A `pending` one becomes `unknown`, or is settled,
 * within about a minute. The service may still carry out, or show late, what is `unknown`: it is left to the polls for
 * as long as they need to conclude that nothing happened.
 * @param attempt `scheduleAt` is of a scheduled charge, which the service carries out then
 */
export function findStatusProblem(
  attempt: { status: AttemptStatus; startedAt: Date; scheduleAt?: Date | null } | null,
  now: Date,
): NotDecided | null {
  if (attempt === null) return { kind: 'not_found' };
  const { status, startedAt, scheduleAt = null } = attempt;
  if (status === 'pending') return { kind: 'pending' };
  if (!isSettleable(status)) return { kind: 'already_settled' };
  const carriedOutAt = Math.max(startedAt.getTime(), scheduleAt?.getTime() ?? 0);
  const isFresh = now.getTime() - carriedOutAt < MAY_STILL_SHOW_MS;
  return status === 'unknown' && isFresh ? { kind: 'pending' } : null;
}

/** A decision that is refused, with what the service shows: a page says it in the language of its reader. */
export class ContradictedError extends HttpError {
  constructor(readonly contradiction: Contradiction) {
    super(attemptErrors.service_contradicts, contradictionText(CONTRADICTION_MESSAGES, contradiction));
  }
}

/** @param notFound the error for an id that we do not have */
export function decisionError(outcome: NotDecided, notFound: ErrorDefinition): HttpError {
  switch (outcome.kind) {
    case 'not_found':
      return new HttpError(notFound);
    case 'already_settled':
      return new HttpError(attemptErrors.already_settled);
    case 'pending':
      return new HttpError(attemptErrors.attempt_pending);
    case 'contradicted':
      return new ContradictedError(outcome.says);
  }
}

export const DECISION_ERRORS: readonly ErrorDefinition[] = [
  attemptErrors.already_settled,
  attemptErrors.attempt_pending,
  attemptErrors.service_contradicts,
];
