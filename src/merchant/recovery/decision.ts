// What a person decides about an attempt or a discrepancy that no program may decide: who, why, and why it is refused. A
// decision says what is true by now: what the payment service shows must not contradict it. It moves no money.

import type { ApiErrorCode } from '../error-codes';
import { HttpError } from '../errors';

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
  /** Its call is under way, or a first poll for its outcome is due. */
  | { kind: 'pending' }
  /** What the service says speaks against it. */
  | { kind: 'contradicted'; says: string };

export type DecisionOutcome = { kind: 'settled' } | NotDecided;

/**
 * Statuses of an issuance, a charge and a refund that a person may settle. A `pending` one becomes `unknown`, or is
 * settled, within about a minute.
 */
export const SETTLEABLE = ['unknown', 'needs_review'] as const;

/** Why an attempt in this status cannot be settled by a person. Returns null if it can. */
export function findStatusProblem(status: string | undefined): NotDecided | null {
  if (status === undefined) return { kind: 'not_found' };
  if (status === 'pending') return { kind: 'pending' };
  return SETTLEABLE.some((each) => each === status) ? null : { kind: 'already_settled' };
}

/** @param notFound the code for an id that we do not have */
export function decisionError(outcome: NotDecided, notFound: ApiErrorCode): HttpError {
  switch (outcome.kind) {
    case 'not_found':
      return new HttpError(notFound);
    case 'already_settled':
      return new HttpError('already_settled');
    case 'pending':
      return new HttpError('attempt_pending');
    case 'contradicted':
      return new HttpError('service_contradicts', outcome.says);
  }
}

export const DECISION_ERRORS: readonly ApiErrorCode[] = [
  'already_settled',
  'attempt_pending',
  'service_contradicts',
];
