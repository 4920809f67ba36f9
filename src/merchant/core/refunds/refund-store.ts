// Stores every refund. `attempts/attempt-store.ts` has what refunds share with issuances and charges (lost answers,
// polls).
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
// While a refund is `pending`, `unknown` or `needs_review`, the payment accepts no other. Only a person resolves
// `needs_review`.

import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { isUniqueViolation } from '../../platform/errors';
import { statusSet } from '../../platform/status-set';
import { MAX_REASON_LENGTH, phaseOf, refundStatuses, type ClosedStatus } from '../attempts/attempt-statuses';
import { numberedPage, type PageFilter } from '../attempts/attempt-store';
import type { Decision } from '../attempts/decision';

/** Refunds that were made, or may have been. */
export const madeRefunds = statusSet(RefundStatus, (status) => phaseOf(status) !== 'failed');

/** The sum of a payment's refunds, also if their outcome is not known yet. */
export async function sumOfRefunds({ database }: Context, svcUid: string): Promise<number> {
  const { _sum: sum } = await database.refund.aggregate({
    where: { svcUid, status: { in: madeRefunds.list } },
    _sum: { amount: true },
  });
  return Number(sum.amount ?? 0);
}

export type NewRefund = Pick<
  Refund,
  'svcUid' | 'currency' | 'cancelReason' | 'discrepancyId' | 'requestedBy'
> & {
  /** Null if all is refunded of a payment whose amount is no whole number. */
  amount: number | null;
  taxFree: number | null;
  /** `cancel_amount` before the refund. After success it is this plus `amount`. */
  cancelledBefore: number;
  /** Whether the payment has a row, and `cancelledBefore` is its value. A payment that fits no order has none. */
  isStored: boolean;
};

/**
 * Writes a refund before its call. The insert locks the payment and the discrepancy, so of two concurrent refunds the
 * second finds the unresolved one, another cancelled amount, or a resolved discrepancy.
 * @returns its id; null if the payment has an unresolved refund, a different cancelled amount than the caller has read,
 * or a row although the caller found none, or if the discrepancy is resolved
 */
export async function insertRefund(
  { database, clock }: Context,
  {
    svcUid,
    amount,
    taxFree,
    currency,
    cancelledBefore,
    isStored,
    cancelReason,
    discrepancyId,
    requestedBy,
  }: NewRefund,
): Promise<bigint | null> {
  const storedAmount = isStored ? cancelledBefore : null;
  try {
    const [inserted] = await database.$queryRaw<{ id: bigint }[]>`
      with payment as materialized (
        select cancel_amount from payments where svc_uid = ${svcUid} for update
      ), discrepancy as materialized (
        select id from discrepancies where id = ${discrepancyId}::bigint and resolved_at is null for update
      )
      insert into refunds
        (svc_uid, discrepancy_id, requested_by, amount, tax_free, currency, cancelled_before, cancel_reason, status, started_at)
      select ${svcUid}, ${discrepancyId}::bigint, ${requestedBy}, ${amount}::bigint, ${taxFree}::bigint,
        ${currency}, ${cancelledBefore}, ${cancelReason}, 'pending', ${clock.now()}::timestamptz
      where (select cancel_amount from payment) is not distinct from ${storedAmount}::bigint
        and (select id from discrepancy) is not distinct from ${discrepancyId}::bigint
      returning id`;
    return inserted?.id ?? null;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** The unresolved refund that blocks other refunds of a payment. Returns null if there is none. */
export async function findBlockingRefund({ database }: Context, svcUid: string): Promise<Refund | null> {
  return database.refund.findFirst({ where: { svcUid, status: { in: refundStatuses.blocking.list } } });
}

/** Returns null if there is none with this id. */
export async function findRefund({ database }: Context, id: bigint): Promise<Refund | null> {
  return database.refund.findUnique({ where: { id } });
}

/** Stores a person's decision. Returns false if the refund was resolved meanwhile. */
export async function writeRefundDecision(
  { database, clock }: Context,
  id: bigint,
  status: 'refunded' | 'not_executed',
  { by, note }: Decision,
): Promise<boolean> {
  const { count } = await database.refund.updateMany({
    where: { id, status: { in: refundStatuses.decidable.list } },
    data: { status, resolvedAt: clock.now(), settledBy: by, settleNote: note },
  });
  return count === 1;
}

/**
 * Stores the final outcome. Does nothing if the refund was resolved meanwhile.
 * @param reason why it was not refunded; null if not needed
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

export type RefundFilter = Partial<Pick<Refund, 'svcUid' | 'status'>> & PageFilter;

/** The newest first. */
export async function findRefunds(
  { database }: Context,
  filter: RefundFilter,
  take: number,
): Promise<Refund[]> {
  return database.refund.findMany({ ...numberedPage(filter), take });
}
