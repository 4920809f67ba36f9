// Stores every attempt to take money for an order. `attempts/attempt-store.ts` has what charges share with issuances
// and refunds (lost answers, polls).
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
//       needs_review --> scheduled: its order is finished, so its schedule is revoked
//       scheduled --> unknown: it was executed, and its payment cannot be judged yet
//       scheduled --> paid: executed
//       scheduled --> failed: executed, and the payment failed
//       scheduled --> revoked: the schedule was revoked
//       scheduled --> needs_review: see below, or no trace of it any more for long enough
//
// `needs_review`: the payment does not fit the order, or for long enough the service has shown only something that is
// not known to come from this charge. Only a person resolves it. A `pending` charge is first polled a minute after its
// start, when its caller must be gone. While a charge is `pending`, `unknown`, `scheduled` or `needs_review`, the order
// cannot be charged again. A person may also resolve an `unknown` charge (decide-charge.ts).

import {
  Prisma,
  type Charge,
  type ChargeStatus,
  type Order,
  type ScheduleRevocation,
} from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { isUniqueViolation } from '../../platform/errors';
import { chargeStatuses, MAX_REASON_LENGTH, type ClosedStatus } from '../attempts/attempt-statuses';
import type { Decision } from '../attempts/decision';
import { revokeSoon } from '../attempts/schedules-to-revoke';
import { payableOrders } from '../payments/order-status';

export type NewCharge = Pick<Charge, 'id' | 'merchantUid' | 'kind' | 'customerUid' | 'scheduleAt'>;

/**
 * Writes charges before their call: all of them, or none if an order cannot be paid now or has an unresolved charge, or
 * a stored key is not active. The insert locks orders and keys. A sync moves the order before it resolves a charge, so
 * of two concurrent charges the second finds either the unresolved charge or the paid order. A removal finds every
 * charge written with its key. An order that awaits a deposit can be charged, because anyone who knows its id can open
 * a virtual account and never pay.
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
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** A charge, and whether its schedule is to be revoked. */
export type StoredCharge = Charge & { revocation: ScheduleRevocation | null };
const WITH_REVOCATION = { revocation: true } as const;

/** Returns null if there is none with this id. */
export async function findCharge({ database }: Context, id: string): Promise<StoredCharge | null> {
  return database.charge.findUnique({ where: { id }, include: WITH_REVOCATION });
}

/** The unresolved charge that blocks other charges of an order. Returns null if there is none. */
export async function findBlockingCharge({ database }: Context, merchantUid: string): Promise<Charge | null> {
  return database.charge.findFirst({ where: { merchantUid, status: { in: chargeStatuses.blocking.list } } });
}

/** Charges of a key that are scheduled, or may be: the outcome of their schedule is open. */
export async function findScheduledCharges({ database }: Context, customerUid: string): Promise<Charge[]> {
  return database.charge.findMany({
    where: { customerUid, kind: 'schedule', status: { in: chargeStatuses.open.list } },
  });
}

/** Stores the final outcome. Does nothing if the charge was resolved meanwhile. */
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

/** Stores a person's decision. Returns false if the charge was resolved meanwhile. */
export async function writeChargeDecision(
  { database, clock }: Context,
  id: string,
  { by, note }: Decision,
  facts: { status: 'paid' | 'not_executed'; svcUid?: string },
): Promise<boolean> {
  const { count } = await database.charge.updateMany({
    where: { id, status: { in: chargeStatuses.decidable.list } },
    data: { ...facts, resolvedAt: clock.now(), settledBy: by, settleNote: note },
  });
  return count === 1;
}

/** The service has named the payment, but it cannot be verified yet. The next polls fetch that payment. */
export async function markUnjudged(
  context: Context,
  id: string,
  facts: { svcUid: string; reason: string },
): Promise<void> {
  await changeOpenCharge(context, id, { status: 'unknown', ...facts });
}

/** Earlier polls say nothing about the execution of a schedule, so the counts start again. */
const SCHEDULED = { status: 'scheduled', reason: null, polls: 0, notFoundPolls: 0 } as const;

/** The service has the schedule. If its order was finished meanwhile, it is revoked now. */
export async function markScheduled(context: Context, id: string): Promise<void> {
  await changeOpenCharge(context, id, SCHEDULED);
  const { count } = await context.database.scheduleRevocation.updateMany({
    where: { chargeId: id },
    data: { nextTryAt: context.clock.now() },
  });
  if (count > 0) revokeSoon(context);
}

/** A charge waits for a person because its schedule was not found, or was another one, and its order is finished. */
export async function reopenSchedule({ database }: Context, id: string): Promise<void> {
  await database.charge.updateMany({
    where: { id, status: 'needs_review', svcUid: null },
    data: { ...SCHEDULED, resolvedAt: null },
  });
}

async function changeOpenCharge(
  { database }: Context,
  id: string,
  data: Prisma.ChargeUpdateManyMutationInput,
): Promise<void> {
  await database.charge.updateMany({ where: { id, status: { in: chargeStatuses.open.list } }, data });
}

type ChargeFilter = Partial<Pick<Charge, 'merchantUid' | 'svcUid' | 'customerUid' | 'status'>> & {
  /** The last charge of the page before. */
  after?: Pick<Charge, 'startedAt' | 'id'> | undefined;
  /** True: only a person can resolve it, or its schedule could not be revoked. */
  needsPerson?: boolean;
};

/** The newest first. */
export async function findCharges(
  context: Context,
  { after, needsPerson, ...columns }: ChargeFilter,
  take: number,
): Promise<StoredCharge[]> {
  const notRevoked = needsPerson === undefined ? [] : await findNotRevoked(context);
  const needing = { OR: [{ status: 'needs_review' as const }, { id: { in: notRevoked } }] };
  const others = {
    status: { not: 'needs_review' as const },
    ...(notRevoked.length > 0 && { id: { notIn: notRevoked } }),
  };
  return context.database.charge.findMany({
    where: {
      ...columns,
      // The first condition lets the query start within an index.
      ...(after && {
        startedAt: { lte: after.startedAt },
        OR: [{ startedAt: { lt: after.startedAt } }, { id: { lt: after.id } }],
      }),
      ...(needsPerson !== undefined && { AND: needsPerson ? needing : others }),
    },
    include: WITH_REVOCATION,
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** More than ever wait for a person, unless the service does not answer. */
const MOST_NOT_REVOKED = 1000;

/** Charges whose schedule could not be revoked yet. */
async function findNotRevoked({ database }: Context): Promise<string[]> {
  const rows = await database.scheduleRevocation.findMany({
    where: { reason: { not: null }, charge: { status: { in: chargeStatuses.open.list } } },
    select: { chargeId: true },
    orderBy: { since: 'asc' },
    take: MOST_NOT_REVOKED,
  });
  return rows.map(({ chargeId }) => chargeId);
}

/** A payment whose schedule the service holds, or may hold. */
export type PlannedPayment = Pick<Charge, 'id' | 'merchantUid' | 'customerUid' | 'status'> &
  Pick<Order, 'memberId' | 'name' | 'amount' | 'currency'> & { scheduleAt: Date };

type PlannedFilter = {
  memberId?: string | undefined;
  merchantUid?: string | undefined;
  customerUid?: string | undefined;
  /** The last one of the page before. */
  after?: Pick<PlannedPayment, 'scheduleAt' | 'id'> | undefined;
};

/** The first one due comes first. What an order is finished without is not planned any more, also until it is revoked. */
export async function findPlannedPayments(
  { database }: Context,
  { memberId, merchantUid, customerUid, after }: PlannedFilter,
  take: number,
): Promise<PlannedPayment[]> {
  const conditions = [
    // The first condition lets the query start within an index.
    ...(after
      ? [
          Prisma.sql`c.schedule_at >= ${after.scheduleAt}::timestamptz
            and (c.schedule_at, c.id) > (${after.scheduleAt}::timestamptz, ${after.id})`,
        ]
      : []),
    ...(memberId === undefined ? [] : [Prisma.sql`o.member_id = ${memberId}`]),
    ...(merchantUid === undefined ? [] : [Prisma.sql`c.merchant_uid = ${merchantUid}`]),
    ...(customerUid === undefined ? [] : [Prisma.sql`c.customer_uid = ${customerUid}`]),
  ];
  return database.$queryRaw<PlannedPayment[]>`
    select c.id, c.merchant_uid as "merchantUid", c.customer_uid as "customerUid", c.status::text as status,
      c.schedule_at as "scheduleAt", o.member_id as "memberId", o.name, o.amount, o.currency
    from charges c join orders o using (merchant_uid)
    where ${Prisma.join([isPlanned, Prisma.sql`o.status in ${payableOrders.sql}`, ...conditions], ' and ')}
    order by c.schedule_at, c.id limit ${take}`;
}

/** As in the partial index over it. */
const isPlanned = Prisma.sql`c.schedule_at is not null and c.status in ${chargeStatuses.open.sql}`;
