// Every attempt to give money back, in the database. What a refund has in common with an issuance and a charge (the lost
// answer, the polls) is written by `attempts/attempt-store.ts`.
//
//     stateDiagram-v2
//       [*] --> pending: written before the call
//       pending --> unknown: the answer was lost, or the payment cannot be fetched or does not show the refund yet
//       pending --> refunded: the payment shows the expected cancelled amount
//       pending --> refused: the service said no
//       pending --> not_executed: the service did not process the call, or shows no trace of it for long enough
//       pending --> needs_review: the payment shows another cancelled amount than before or expected
//       unknown --> refunded: a poll shows the expected cancelled amount
//       unknown --> not_executed: no trace of it for long enough
//       unknown --> needs_review: a poll shows another cancelled amount than before or expected
//       unknown, needs_review --> refunded, not_executed: a person has decided (decide-refund.ts)
//
// `pending`, `unknown` and `needs_review` keep the payment from other refunds; the last of them is left to a person.

import type { Refund, RefundStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { DatabaseError, UNIQUE_VIOLATION } from '../../platform/errors';
import { refundStatuses, type ClosedStatus } from '../attempts/attempt-statuses';
import { findStuckAttempts, MAX_REASON_LENGTH } from '../attempts/attempt-store';
import type { Decision } from '../attempts/decision';

export type NewRefund = {
  svcUid: string;
  amount: number;
  /** `cancel_amount` as it was before; after success it is this and `amount`. */
  cancelledBefore: number;
  /** Whether the payment has a row, and `cancelledBefore` is of it. One that fits no order has none. */
  isStored: boolean;
  /** As the merchant gave it. */
  cancelReason: string;
  /** For which the money is given back; null for a refund by svc_uid alone. */
  discrepancy: RefundedDiscrepancy | null;
  /** Who asks for a refund by svc_uid; null or absent where nobody is named. */
  requestedBy?: string | null;
};

/** The discrepancy that is settled by a refund, and who asked for it. */
export type RefundedDiscrepancy = { id: bigint; requestedBy: string };

/** A refund whose outcome is open. */
export type OpenRefund = Refund;

/**
 * Writes a refund before its call. Payment and discrepancy are locked for the moment of the insert: of two refunds at
 * the same time the second finds the unsettled one, another cancelled amount, or a discrepancy that is settled.
 * @returns its id, or null where the payment has an unsettled refund, another cancelled amount than the caller has read,
 *   or a row where the caller found none, and where the discrepancy is settled
 */
export async function insertRefund(
  { database, clock }: Context,
  { svcUid, amount, cancelledBefore, isStored, cancelReason, discrepancy, requestedBy = null }: NewRefund,
): Promise<bigint | null> {
  const discrepancyId = discrepancy?.id ?? null;
  const storedAmount = isStored ? cancelledBefore : null;
  try {
    const [inserted] = await database.$queryRaw<{ id: bigint }[]>`
      with payment as materialized (
        select cancel_amount from payments where svc_uid = ${svcUid} for update
      ), discrepancy as materialized (
        select id from discrepancies where id = ${discrepancyId}::bigint and resolved_at is null for update
      )
      insert into refunds (svc_uid, discrepancy_id, requested_by, amount, cancelled_before, cancel_reason, status, started_at)
      select ${svcUid}, ${discrepancyId}::bigint, ${discrepancy?.requestedBy ?? requestedBy}, ${amount}, ${cancelledBefore},
        ${cancelReason}, 'pending', ${clock.now()}::timestamptz
      where (select cancel_amount from payment) is not distinct from ${storedAmount}::bigint
        and (select id from discrepancy) is not distinct from ${discrepancyId}::bigint
      returning id`;
    return inserted?.id ?? null;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

/** Returns null once the refund is settled. */
export async function findOpenRefund({ database }: Context, id: string): Promise<OpenRefund | null> {
  return database.refund.findFirst({ where: { id: BigInt(id), status: { in: refundStatuses.open.list } } });
}

/** The refund that keeps a payment from other refunds. Returns null if there is none. */
export async function findUnsettledRefund({ database }: Context, svcUid: string): Promise<Refund | null> {
  return database.refund.findFirst({ where: { svcUid, status: { in: refundStatuses.unsettled.list } } });
}

/** Returns null where there is none with this id. */
export async function findRefund({ database }: Context, id: bigint): Promise<Refund | null> {
  return database.refund.findUnique({ where: { id } });
}

/** What a person has decided. Returns false where the refund has been settled meanwhile. */
export async function writeRefundDecision(
  { database, clock }: Context,
  id: bigint,
  status: 'refunded' | 'not_executed',
  { by, note }: Decision,
): Promise<boolean> {
  const { count } = await database.refund.updateMany({
    where: { id, status: { in: refundStatuses.settleable.list } },
    data: { status, resolvedAt: clock.now(), settledBy: by, settleNote: note },
  });
  return count === 1;
}

/**
 * The outcome is known. Does nothing to a refund that has been settled meanwhile.
 * @param reason why it was not refunded; null where that needs none
 */
export async function closeRefund(
  { database, clock }: Context,
  id: bigint,
  status: ClosedStatus<RefundStatus>,
  reason: string | null = null,
): Promise<void> {
  await database.refund.updateMany({
    where: { id, status: { in: refundStatuses.open.list } },
    data: { status, resolvedAt: clock.now(), reason: reason?.slice(0, MAX_REASON_LENGTH) ?? null },
  });
}

export type RefundFilter = {
  after?: bigint | undefined;
  svcUid?: string | undefined;
  status?: RefundStatus | undefined;
  /** Whether only a person can settle it. */
  needsPerson?: boolean | undefined;
};

/** The newest first. */
export async function findRefunds(
  { database }: Context,
  { after, svcUid, status, needsPerson }: RefundFilter,
  take: number,
): Promise<Refund[]> {
  return database.refund.findMany({
    where: {
      ...(after !== undefined && { id: { lt: after } }),
      ...(svcUid !== undefined && { svcUid }),
      ...(status !== undefined && { status }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? 'needs_review' : { not: 'needs_review' } },
      }),
    },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Those whose outcome the polls should have found by now, the oldest first. */
export async function findStuckRefunds(context: Context): Promise<Refund[]> {
  const { ids, before } = await findStuckAttempts(context, 'refund');
  return context.database.refund.findMany({
    where: { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } },
    orderBy: { startedAt: 'asc' },
  });
}
