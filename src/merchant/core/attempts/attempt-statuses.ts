// What each status of an issuance, a charge or a refund means. A status means the same in all three.

import { ChargeStatus, IssuanceStatus, RefundStatus } from '../../../generated/prisma/client';
import { statusSet } from '../../platform/status-set';

/** Length of the column `reason` of every attempt. */
export const MAX_REASON_LENGTH = 200;

export type AttemptStatus = IssuanceStatus | ChargeStatus | RefundStatus;

type Facts = {
  /** The outcome of the call is not known yet. */
  isUnresolved: boolean;
  /** It is still polled. */
  isOpen: boolean;
  /** It blocks other charges of the order, or other refunds of the payment. */
  isBlocking: boolean;
  /** A person may record its outcome. */
  isDecidable: boolean;
};

const DONE = { isUnresolved: false, isOpen: false, isBlocking: false, isDecidable: false } as const;

const ATTEMPT_STATUSES = {
  pending: { isUnresolved: true, isOpen: true, isBlocking: true, isDecidable: false },
  unknown: { isUnresolved: true, isOpen: true, isBlocking: true, isDecidable: true },
  scheduled: { isUnresolved: false, isOpen: true, isBlocking: true, isDecidable: false },
  needs_review: { isUnresolved: false, isOpen: false, isBlocking: true, isDecidable: true },
  issued: DONE,
  declined: DONE,
  paid: DONE,
  failed: DONE,
  refused: DONE,
  not_executed: DONE,
  revoked: DONE,
  refunded: DONE,
} as const satisfies Record<AttemptStatus, Facts>;

/** Statuses that polls no longer change. */
export type ClosedStatus<Status extends AttemptStatus> = {
  [Each in Status]: (typeof ATTEMPT_STATUSES)[Each]['isOpen'] extends true ? never : Each;
}[Status];

function setsOf<Status extends AttemptStatus>(statuses: Readonly<Record<Status, Status>>) {
  const where = (fact: keyof Facts) => statusSet(statuses, (status) => ATTEMPT_STATUSES[status][fact]);
  return {
    unresolved: where('isUnresolved'),
    open: where('isOpen'),
    blocking: where('isBlocking'),
    decidable: where('isDecidable'),
  };
}

export const issuanceStatuses = setsOf(IssuanceStatus);
export const chargeStatuses = setsOf(ChargeStatus);
export const refundStatuses = setsOf(RefundStatus);

export const isOpen = (status: AttemptStatus): boolean => ATTEMPT_STATUSES[status].isOpen;
export const isDecidable = (status: AttemptStatus): boolean => ATTEMPT_STATUSES[status].isDecidable;
