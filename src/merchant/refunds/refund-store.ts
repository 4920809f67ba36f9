// Every attempt to give money back, in the database. What a refund has in common with an issuance and a charge (the lost
// answer, the polls) is written by `recovery/attempt-store.ts`.
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
//
// `pending`, `unknown` and `needs_review` keep the payment from other refunds; the last of them is left to a person, and
// no code moves it on.

import type { Refund, RefundStatus } from '../../generated/prisma/client';
import type { Context } from '../context';
import { DatabaseError } from '../errors';

export type NewRefund = {
  svcUid: string;
  amount: number;
  /** `cancel_amount` as the database has it; after success it is this and `amount`. */
  cancelledBefore: number;
  /** As the merchant gave it. */
  cancelReason: string;
};

/** A refund whose outcome is open. */
export type OpenRefund = Refund;
export type ClosedStatus = Exclude<RefundStatus, 'pending' | 'unknown'>;

/** Statuses that are still polled. */
const OPEN: RefundStatus[] = ['pending', 'unknown'];
/** Statuses that keep the payment from other refunds. */
const UNSETTLED: RefundStatus[] = [...OPEN, 'needs_review'];
const UNIQUE_VIOLATION = '23505';
const MAX_REASON_LENGTH = 200;

/**
 * Writes a refund before its call. The payment is locked for the moment of the insert: of two refunds at the same time
 * the second finds either the unsettled one or another cancelled amount.
 * @returns its id, or null where the payment has an unsettled refund, or another cancelled amount than the caller has
 *   read
 */
export async function insertRefund(
  { database, clock }: Context,
  { svcUid, amount, cancelledBefore, cancelReason }: NewRefund,
): Promise<bigint | null> {
  try {
    const [inserted] = await database.$queryRaw<{ id: bigint }[]>`
      with payment as materialized (
        select svc_uid, cancel_amount from payments
        where svc_uid = ${svcUid} and cancel_amount = ${cancelledBefore} for update
      )
      insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
      select svc_uid, ${amount}, cancel_amount, ${cancelReason}, 'pending', ${clock.now()}::timestamptz from payment
      returning id`;
    return inserted?.id ?? null;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

/** Returns null once the refund is settled. */
export async function findOpenRefund({ database }: Context, id: string): Promise<OpenRefund | null> {
  return database.refund.findFirst({ where: { id: BigInt(id), status: { in: OPEN } } });
}

/** The refund that keeps a payment from other refunds. Returns null if there is none. */
export async function findUnsettledRefund({ database }: Context, svcUid: string): Promise<Refund | null> {
  return database.refund.findFirst({ where: { svcUid, status: { in: UNSETTLED } } });
}

/**
 * The outcome is known. Does nothing to a refund that has been settled meanwhile.
 * @param reason why it was not refunded; null where that needs none
 */
export async function closeRefund(
  { database, clock }: Context,
  id: bigint,
  status: ClosedStatus,
  reason: string | null = null,
): Promise<void> {
  await database.refund.updateMany({
    where: { id, status: { in: OPEN } },
    data: { status, resolvedAt: clock.now(), reason: reason?.slice(0, MAX_REASON_LENGTH) ?? null },
  });
}
