// The rows of refunds that wait for a second operator. Nothing is sent before the approval. While a request waits, and until
// the refund of an approved one is written, the payment accepts no other request (a partial unique index).
//
//     stateDiagram-v2
//       [*] --> waiting
//       waiting --> approved: another operator approves it; the refund is then sent, once
//       waiting --> rejected
//       approved --> waiting: the refund could not be made, so there is no row of it

import type { Prisma, RefundRequest } from '../../../../generated/prisma/client';
import { madeRefunds } from '../../../core/refunds/refund-store';
import { recentSpan } from '../../../platform/clock';
import type { Context } from '../../../platform/context';
import { isUniqueViolation } from '../../../platform/errors';

export type NewRequest = Omit<
  RefundRequest,
  | 'id'
  | 'requestedAt'
  | 'decision'
  | 'decidedBy'
  | 'decidedAt'
  | 'refundId'
  | 'amount'
  | 'taxFree'
  | 'balance'
> & { amount: number; taxFree: number | null; balance: number };

/** Returns false if the payment has a request that is not finished. */
export async function insertRequest({ database, clock }: Context, request: NewRequest): Promise<boolean> {
  try {
    await database.refundRequest.create({ data: { ...request, requestedAt: clock.now() } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

export async function findRequest({ database }: Context, id: bigint): Promise<RefundRequest | null> {
  return database.refundRequest.findUnique({ where: { id } });
}

/** All of these payments, oldest first. */
export async function findRequestsOf(
  { database }: Context,
  svcUids: readonly string[],
): Promise<RefundRequest[]> {
  return database.refundRequest.findMany({
    where: { svcUid: { in: [...svcUids] } },
    orderBy: { id: 'asc' },
  });
}

/** An approved request without a refund waits again after this time: the process that approved it has stopped. */
const APPROVAL_MS = 5 * 60_000;

function waiting({ clock }: Pick<Context, 'clock'>): Prisma.RefundRequestWhereInput {
  const { from, to } = recentSpan(APPROVAL_MS, clock.now());
  return {
    refundId: null,
    OR: [{ decision: null }, { decision: 'approved', NOT: { decidedAt: { gte: from, lte: to } } }],
  };
}

/** The oldest first. @param of a payment, or a request; all of them by default */
export async function findWaitingRequests(
  context: Context,
  of: { svcUid?: string; id?: bigint },
  take: number,
): Promise<RefundRequest[]> {
  const where = { ...of, ...waiting(context) };
  return context.database.refundRequest.findMany({ where, orderBy: { id: 'asc' }, take });
}

export async function countWaitingRequests(context: Context): Promise<number> {
  return context.database.refundRequest.count({ where: waiting(context) });
}

/** Of several decisions at the same time, one is stored. Returns false for the others. */
export async function writeDecision(
  { database, clock }: Context,
  { id, by, decision }: { id: bigint; by: string; decision: 'approved' | 'rejected' },
): Promise<boolean> {
  const { count } = await database.refundRequest.updateMany({
    where: { id, decision: null },
    data: { decision, decidedBy: by, decidedAt: clock.now() },
  });
  return count === 1;
}

/** Writes which refund an approved request has led to. If there is none, the request waits again. */
export async function finishApproval({ database }: Context, id: bigint): Promise<void> {
  await database.$executeRaw`
    with refund as (
      select max(r.id) as id from refund_requests q join refunds r on r.svc_uid = q.svc_uid
        and r.requested_by = q.requested_by and r.amount = q.amount and r.started_at >= q.decided_at
      where q.id = ${id} and r.status in ${madeRefunds.sql})
    update refund_requests q set refund_id = refund.id,
      decision = case when refund.id is not null then q.decision end,
      decided_by = case when refund.id is not null then q.decided_by end,
      decided_at = case when refund.id is not null then q.decided_at end
    from refund where q.id = ${id} and q.decision = 'approved' and q.refund_id is null`;
}

/**
 * The sum of a payment's refunds that name a person, also if their outcome is not known yet, and of its unfinished
 * requests. Refunds by the JSON API count if the caller has named a person, because their rows look the same.
 */
export async function sumByOperators({ database }: Context, svcUid: string): Promise<number> {
  const [row] = await database.$queryRaw<[{ sum: bigint }]>`
    select (
      (select coalesce(sum(amount), 0) from refunds
        where svc_uid = ${svcUid} and requested_by is not null and status in ${madeRefunds.sql})
      + (select coalesce(sum(amount), 0) from refund_requests
        where svc_uid = ${svcUid} and refund_id is null and decision is distinct from 'rejected')
    )::bigint as sum`;
  return Number(row.sum);
}
