// Every attempt to take money for an order, in the database. What a charge has in common with an issuance and a refund
// (the lost answer, the polls) is written by `attempts/attempt-store.ts`.
//
//     stateDiagram-v2
//       [*] --> pending: written before the call
//       pending --> unknown: the answer was lost, or the payment that it named cannot be judged yet
//       pending --> scheduled: the service holds the schedule
//       pending --> paid: the payment pays for the order
//       pending --> failed: there is a payment, and it failed or was cancelled
//       pending --> refused: the service said no
//       pending --> not_executed: never sent, not processed by the service, or without a trace there for long enough
//       pending --> revoked: the schedule was revoked
//       pending --> needs_review: see below
//       unknown --> scheduled: a poll shows the schedule
//       unknown --> paid: a poll shows a payment that pays for the order
//       unknown --> failed: a poll shows a failed payment
//       unknown --> not_executed: no trace of it for long enough
//       unknown --> revoked: the schedule was revoked
//       unknown --> needs_review: see below
//       unknown, needs_review --> paid, not_executed: a person has decided
//       scheduled --> unknown: it was executed, and its payment cannot be judged yet
//       scheduled --> paid: executed
//       scheduled --> failed: executed, and the payment failed
//       scheduled --> revoked: the schedule was revoked
//       scheduled --> needs_review: see below, or no trace of it any more for long enough
//
// `needs_review` means that the payment does not fit the order, or that for long enough the service has shown only
// something that is not known to come from this charge. A `pending` charge without a poll gets one a minute after its
// start, when its caller must be gone. `pending`, `unknown`, `scheduled` and `needs_review` keep the order from other
// charges; the last of them is left to a person. A person may settle an `unknown` one as well: as `paid` or
// `not_executed` (decide-charge.ts).

import type { Charge, ChargeKind, ChargeStatus, Prisma } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { DatabaseError, UNIQUE_VIOLATION } from '../../platform/errors';
import { chargeStatuses, type ClosedStatus } from '../attempts/attempt-statuses';
import { findStuckAttempts, MAX_REASON_LENGTH, type OpenAttempt } from '../attempts/attempt-store';
import type { Decision } from '../attempts/decision';
import { payableOrders } from '../orders/order-store';

export type NewCharge = {
  id: string;
  merchantUid: string;
  kind: ChargeKind;
  /** Null for a card whose key is not stored. */
  customerUid: string | null;
  /** Of kind `schedule`; null otherwise. */
  scheduleAt: Date | null;
};

export type StoredCharge = NewCharge & { status: ChargeStatus };

/** A charge whose outcome is open. */
export type OpenCharge = StoredCharge &
  OpenAttempt & {
    /** Set once the service has named the payment, which could not be judged yet. */
    svcUid: string | null;
  };

/**
 * Writes charges before their call: all of them, or none where an order cannot be paid now or has an unsettled charge, or a
 * stored key is out of use. Orders and keys are locked for the moment of the insert. The sync that settles a charge moves the
 * order first, so of two charges at the same time the second finds either the unsettled one or the paid order; and a removal
 * that takes a key out of use finds every charge that was written with it.
 * An order that awaits a deposit can be charged: whoever knows its id can open a virtual account for it, and may never pay.
 * What is deposited after a charge is a `duplicate_payment`.
 * @returns whether they were written
 */
export async function insertCharges(
  { database, clock }: Context,
  charges: readonly NewCharge[],
): Promise<boolean> {
  try {
    const inserted = await database.$executeRaw`
      with wanted as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as w (
          id text, "merchantUid" text, kind charge_kind, "customerUid" text, "scheduleAt" timestamptz)
      ), payable as materialized (
        select o.merchant_uid from orders o
        where o.merchant_uid in (select "merchantUid" from wanted) and o.status in ${payableOrders.sql}
          and o.erased_at is null
        order by o.merchant_uid for update
      ), paying as (
        -- A one-time payment stores its key with the payment.
        select distinct "customerUid" from wanted where kind <> 'onetime'
      ), usable as materialized (
        select key.customer_uid from paying cross join lateral (
          select customer_uid from billing_keys where customer_uid = paying."customerUid" and status = 'active'
          for share) key
      )
      insert into charges (id, merchant_uid, kind, customer_uid, schedule_at, status, started_at)
      select id, "merchantUid", kind, "customerUid", "scheduleAt", 'pending', ${clock.now()}::timestamptz from wanted
      where (select count(*) from payable) = (select count(*) from wanted)
        and (select count(*) from usable) = (select count(*) from paying)`;
    return inserted === charges.length;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Returns null once the charge is settled. */
export async function findOpenCharge({ database }: Context, id: string): Promise<OpenCharge | null> {
  return database.charge.findFirst({ where: { id, status: { in: chargeStatuses.open.list } } });
}

/** Returns null where there is none with this id. */
export async function findCharge({ database }: Context, id: string): Promise<Charge | null> {
  return database.charge.findUnique({ where: { id } });
}

/** The charge that keeps an order from other charges. Returns null if there is none. */
export async function findUnsettledCharge(
  { database }: Context,
  merchantUid: string,
): Promise<StoredCharge | null> {
  return database.charge.findFirst({ where: { merchantUid, status: { in: chargeStatuses.unsettled.list } } });
}

/** Charges that wait for their time with a key, or may: the outcome of their schedule is open. */
export async function findScheduledCharges(
  { database }: Context,
  customerUid: string,
): Promise<OpenCharge[]> {
  return database.charge.findMany({
    where: { customerUid, kind: 'schedule', status: { in: chargeStatuses.open.list } },
  });
}

/** The outcome is known. Does nothing to a charge that has been settled meanwhile. */
export async function closeCharge(
  context: Context,
  id: string,
  status: ClosedStatus<ChargeStatus>,
  { reason, ...facts }: { svcUid?: string; reason?: string | null } = {},
): Promise<void> {
  const resolvedAt = context.clock.now();
  const because = reason === undefined ? {} : { reason: reason?.slice(0, MAX_REASON_LENGTH) ?? null };
  await changeOpenCharge(context, id, { status, resolvedAt, ...facts, ...because });
}

/** What a person has decided. Returns false where the charge has been settled meanwhile. */
export async function writeChargeDecision(
  { database, clock }: Context,
  id: string,
  { by, note }: Decision,
  facts: { status: 'paid' | 'not_executed'; svcUid?: string },
): Promise<boolean> {
  const { count } = await database.charge.updateMany({
    where: { id, status: { in: chargeStatuses.settleable.list } },
    data: { ...facts, resolvedAt: clock.now(), settledBy: by, settleNote: note },
  });
  return count === 1;
}

/** The service has named the payment, which cannot be judged yet: the polls that follow fetch that one. */
export async function markUnjudged(
  context: Context,
  id: string,
  facts: { svcUid: string; reason: string },
): Promise<void> {
  await changeOpenCharge(context, id, { status: 'unknown', ...facts });
}

/** The service holds the schedule. The polls from before that say nothing about its execution. */
export async function markScheduled(context: Context, id: string): Promise<void> {
  await changeOpenCharge(context, id, { status: 'scheduled', reason: null, polls: 0, notFoundPolls: 0 });
}

async function changeOpenCharge(
  { database }: Context,
  id: string,
  data: Prisma.ChargeUpdateManyMutationInput,
): Promise<void> {
  await database.charge.updateMany({ where: { id, status: { in: chargeStatuses.open.list } }, data });
}

export type ChargeFilter = {
  after?: ChargePosition | undefined;
  merchantUid?: string | undefined;
  svcUid?: string | undefined;
  customerUid?: string | undefined;
  status?: ChargeStatus | undefined;
  /** Whether only a person can settle it. */
  needsPerson?: boolean | undefined;
};

/** Where a charge stands in the list. */
export type ChargePosition = { startedAt: Date; id: string };

/** The newest first. */
export async function findCharges(
  { database }: Context,
  { after, merchantUid, svcUid, customerUid, status, needsPerson }: ChargeFilter,
  take: number,
): Promise<Charge[]> {
  return database.charge.findMany({
    where: {
      // The first condition is what an index can begin at.
      ...(after && {
        startedAt: { lte: after.startedAt },
        OR: [{ startedAt: { lt: after.startedAt } }, { id: { lt: after.id } }],
      }),
      ...(merchantUid !== undefined && { merchantUid }),
      ...(svcUid !== undefined && { svcUid }),
      ...(customerUid !== undefined && { customerUid }),
      ...(status !== undefined && { status }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? 'needs_review' : { not: 'needs_review' } },
      }),
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** Those whose outcome the polls should have found by now, the oldest first. */
export async function findStuckCharges(context: Context): Promise<Charge[]> {
  const { ids, before } = await findStuckAttempts(context, 'charge');
  return context.database.charge.findMany({
    where: {
      id: { in: ids },
      resolvedAt: null,
      startedAt: { lt: before },
      // What was to be paid just now is not late yet. Of what is to be paid later it is not known whether it is scheduled.
      OR: [{ scheduleAt: null }, { scheduleAt: { lt: before } }, { scheduleAt: { gt: context.clock.now() } }],
    },
    orderBy: { startedAt: 'asc' },
  });
}
