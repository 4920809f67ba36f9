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

export type NotDecided =
  | { kind: 'not_found' }
  /** Another person, a poll or a payment has resolved it. */
  | { kind: 'already_settled' }
  /** Its call is under way, or the service may still show its outcome. */
  | { kind: 'pending' }
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
  if (phase === 'pending') return { kind: 'pending' };
  if (!isDecidable(status)) return { kind: 'already_settled' };
  const mayBeCarriedOut = scheduleAt !== null && now.getTime() - scheduleAt.getTime() < MAY_STILL_SHOW_MS;
  const isFresh = isRecent(startedAt, MAY_STILL_SHOW_MS, now) || mayBeCarriedOut;
  return phase === 'unknown' && isFresh ? { kind: 'pending' } : null;
}

/** What the service shows that contradicts a decision, by kind. Amounts are in the units of their currency. */
export type ContradictionFacts = {
  payment_missing: { svcUid: string };
  payment_status_unknown: { svcUid: string };
  payment_holds: { svcUid: string; status: string; held: number; currency: string | null };
  payment_for_another: { svcUid: string; status: string; held: number; currency: string | null };
  nothing_held: object;
  schedule_waits: { merchantUid: string };
  cancelled_amount: { svcUid: string; cancelled: bigint; cancelledBefore: bigint; amount: bigint };
  key_missing: { customerUid: string };
  key_there: { customerUid: string; card: string | null };
  key_of_before: { customerUid: string; card: string | null };
};

export type Contradiction = {
  [Kind in keyof ContradictionFacts]: { kind: Kind } & ContradictionFacts[Kind];
}[keyof ContradictionFacts];

export type ContradictionTexts = {
  [Kind in keyof ContradictionFacts]: (facts: ContradictionFacts[Kind]) => string;
};

export function contradictionText(texts: ContradictionTexts, contradiction: Contradiction): string {
  // The compiler cannot see that a kind and its facts belong together.
  return (texts[contradiction.kind] as (facts: Contradiction) => string)(contradiction);
}

const holds = ({ svcUid, status, held, currency }: ContradictionFacts['payment_holds']) =>
  `The payment service shows ${svcUid} as ${status}: it holds ${held} ${currency ?? 'without a currency'}.`;
const cardText = (card: string | null) => card ?? 'a card without a number';

/** In English, for the API. */
export const CONTRADICTION_MESSAGES: ContradictionTexts = {
  payment_missing: ({ svcUid }) => `The payment service knows no payment ${svcUid}.`,
  payment_status_unknown: ({ svcUid }) => `The payment service shows ${svcUid} with an unknown status.`,
  payment_holds: holds,
  payment_for_another: (facts) => `${holds(facts)} It does not pay for the order: see its discrepancy.`,
  nothing_held: () => 'The payment service shows no payment of this charge that holds money.',
  schedule_waits: ({ merchantUid }) =>
    `The payment service holds a schedule for the order ${merchantUid}: revoke it first.`,
  cancelled_amount: ({ svcUid, cancelled, cancelledBefore, amount }) =>
    `The payment service shows ${cancelled} of ${svcUid} as cancelled. Before this refund of ${amount} it was ${cancelledBefore}.`,
  key_missing: ({ customerUid }) => `The payment service holds no billing key ${customerUid}.`,
  key_there: ({ customerUid, card }) =>
    `The payment service holds a billing key ${customerUid}, for ${cardText(card)}.`,
  key_of_before: ({ customerUid, card }) =>
    `The payment service still has the billing key ${customerUid} of the previous card, ${cardText(card)}.`,
};

/** A refused decision, with what the service shows, so that a page can say it in the reader's language. */
export class ContradictedError extends HttpError {
  constructor(readonly contradiction: Contradiction) {
    super(attemptErrors.service_contradicts, contradictionText(CONTRADICTION_MESSAGES, contradiction));
  }
}

/** @param notFound the error for an unknown id */
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

export const DECISION_ERRORS: readonly ErrorDefinition[] = Object.values(attemptErrors);
