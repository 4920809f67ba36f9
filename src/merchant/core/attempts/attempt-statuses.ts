// The phase of each status of an issuance, a charge or a refund. Shared code speaks of phases; the tables and the API have
// the statuses, which say more, such as who refused.

import { ChargeStatus, IssuanceStatus, RefundStatus } from '../../../generated/prisma/client';
import { statusSet } from '../../platform/status-set';

/** Length of the column `reason` of every attempt. */
export const MAX_REASON_LENGTH = 200;

export type AttemptStatus = IssuanceStatus | ChargeStatus | RefundStatus;

/** `unknown`: its answer was lost. `needs_review`: only a person can tell its outcome. */
export type Phase = 'pending' | 'unknown' | 'succeeded' | 'failed' | 'needs_review';

const PHASES = {
  pending: 'pending',
  // The service makes the call at the time of the schedule.
  scheduled: 'pending',
  unknown: 'unknown',
  issued: 'succeeded',
  paid: 'succeeded',
  refunded: 'succeeded',
  declined: 'failed',
  failed: 'failed',
  refused: 'failed',
  not_executed: 'failed',
  revoked: 'failed',
  needs_review: 'needs_review',
} as const satisfies Record<AttemptStatus, Phase>;

/** Polls find the outcome. */
const OPEN = ['pending', 'unknown'] as const satisfies Phase[];
/** It blocks the next issuance of the key, the next charge of the order or the next refund of the payment. */
const BLOCKING: readonly Phase[] = [...OPEN, 'needs_review'];
/** A person may decide. */
const DECIDABLE: readonly Phase[] = ['unknown', 'needs_review'];

/** Statuses that polls no longer change. */
export type ClosedStatus<Status extends AttemptStatus> = {
  [Each in Status]: (typeof PHASES)[Each] extends (typeof OPEN)[number] ? never : Each;
}[Status];

export const phaseOf = (status: AttemptStatus): Phase => PHASES[status];
export const isOpen = (status: AttemptStatus): boolean => isIn(OPEN, status);
export const isDecidable = (status: AttemptStatus): boolean => isIn(DECIDABLE, status);

const isIn = (phases: readonly Phase[], status: AttemptStatus) => phases.includes(phaseOf(status));

function setsOf<Status extends AttemptStatus>(statuses: Readonly<Record<Status, Status>>) {
  const setOf = (phases: readonly Phase[]) => statusSet(statuses, (status) => isIn(phases, status));
  return { open: setOf(OPEN), blocking: setOf(BLOCKING), decidable: setOf(DECIDABLE) };
}

export const issuanceStatuses = setsOf(IssuanceStatus);
export const chargeStatuses = setsOf(ChargeStatus);
export const refundStatuses = setsOf(RefundStatus);
