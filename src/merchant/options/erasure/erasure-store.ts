// Erasures in the database, and the statements that erase a member's data. An order is erased with its payments as soon
// as none of its money is in transit. Cards and subscriptions are erased last, because orders that do not name the
// member are found by the member's cards.
//
//     stateDiagram-v2
//       [*] --> open: asked for
//       open --> open: tried, and something waits; the job tries again at next_attempt_at
//       open --> finished: nothing is left
//
// The row names the member only while it is open. A keyed hash afterwards would still identify the member, because we
// hold the key, and nothing needs it.

import { Prisma, type OrderStatus } from '../../../generated/prisma/client';
import { chargeStatuses, refundStatuses } from '../../core/attempts/attempt-statuses';
import { heldKeys } from '../../core/billing-keys/billing-key-store';
import type { KeyAsRead } from '../../core/billing-keys/removal-store';
import { finishedOrders } from '../../core/payments/order-status';
import type { JsonObject } from '../../payment-service/records/raw-record';
import type { Context, MemberRows } from '../../platform/context';
import type { Transaction } from '../../platform/database';
import { growingGap } from '../../platform/drain-due-rows';
import { erasedColumns } from '../../platform/personal-data';

/**
 * A row with text that a person has typed, also in notes about it, so that no program can tell whether it is personal.
 */
export type TypedText = {
  kind: 'refund' | 'charge' | 'issuance' | 'discrepancy' | 'payment' | 'order';
  /** svc_uid of a payment, merchant_uid of an order, `id` of other rows. */
  id: string;
};

export type OpenErasure = { id: bigint; memberId: string; requestedAt: Date; toCheck: TypedText[] };

/** The job leaves an erasure alone while its caller works on it. */
const CALLER_MS = 60_000;

/**
 * The member's orders: those that name the member, or that name no member and were to be paid with one of the member's
 * keys. A payment with the member's key for another member's order belongs to that other member.
 */
function ordersOf(memberId: string): Prisma.Sql {
  const unnamed = Prisma.sql`o.member_id is null and o.erased_at is null`;
  return Prisma.sql`(
    select merchant_uid from orders where member_id = ${memberId}
    union
    select o.merchant_uid from billing_keys k join charges c using (customer_uid)
      join orders o on o.merchant_uid = c.merchant_uid where k.member_id = ${memberId} and ${unnamed}
    union
    select o.merchant_uid from billing_keys k join payments p using (customer_uid)
      join orders o on o.merchant_uid = p.merchant_uid where k.member_id = ${memberId} and ${unnamed})`;
}

/** Whether operators have written notes about a row. */
const hasNotes = (subject: TypedText['kind'], row: string, id = 'id') =>
  Prisma.raw(
    `exists (select from notes n where n.subject = '${subject}' and n.subject_id = ${row}.${id}::text)`,
  );

/**
 * Starts an erasure, or continues the open one.
 * @returns what a person has to check; null if there is no data about the member
 */
export async function startErasure(context: Context, memberId: string): Promise<TypedText[] | null> {
  const { database, clock, realClock } = context;
  const now = clock.now();
  const nextAttemptAt = new Date(realClock.now().getTime() + CALLER_MS);
  const ofOptions = await Promise.all(memberRows(context).map((rows) => rows.exist(context, memberId)));
  const [erasure] = await database.$queryRaw<Pick<OpenErasure, 'toCheck'>[]>`
    with member_orders as materialized (select merchant_uid from ${ordersOf(memberId)} o),
    typed (kind, id) as (
      select 'refund', r.id::text from refunds r where r.svc_uid in (
          select svc_uid from payments join member_orders using (merchant_uid)
          union select svc_uid from discrepancies join member_orders using (merchant_uid))
      union all select 'charge', c.id from charges c join member_orders using (merchant_uid)
        where c.settle_note is not null or ${hasNotes('charge', 'c')}
      union all select 'discrepancy', d.id::text from discrepancies d join member_orders using (merchant_uid)
        where d.resolution_note is not null or ${hasNotes('discrepancy', 'd')}
          or exists (select from refund_requests q where q.discrepancy_id = d.id)
      union all select 'order', m.merchant_uid from member_orders m where ${hasNotes('order', 'm', 'merchant_uid')}
      union all select 'payment', p.svc_uid from payments p join member_orders using (merchant_uid)
        where p.cancel_reason is not null or exists (select from refund_requests q where q.svc_uid = p.svc_uid)
      union all select 'issuance', i.id::text from billing_key_issuances i join billing_keys k using (customer_uid)
        where k.member_id = ${memberId} and (i.settle_note is not null or ${hasNotes('issuance', 'i')})
    )
    insert into erasures (member_id, requested_at, next_attempt_at, to_check)
    select ${memberId}, ${now}::timestamptz, ${nextAttemptAt}::timestamptz,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id) order by kind, id), '[]') from typed)
    where exists (select from member_orders)
      or ${ofOptions.includes(true)}
      or exists (select from billing_keys where member_id = ${memberId})
      or exists (select from erasures where member_id = ${memberId})
    on conflict (member_id) do update set next_attempt_at = excluded.next_attempt_at
    returning to_check as "toCheck"`;
  return erasure?.toCheck ?? null;
}

/** Claims due erasures, the longest due first, until they are due again. */
export async function claimErasures(
  { database, clock, realClock }: Context,
  limit: number,
): Promise<OpenErasure[]> {
  const realNow = realClock.now();
  const gap = growingGap(Prisma.sql`${clock.now()}::timestamptz - e.requested_at`);
  return database.$queryRaw<OpenErasure[]>`
    update erasures e set next_attempt_at = ${realNow}::timestamptz + ${gap}
    where id in (select id from erasures where next_attempt_at <= ${realNow}::timestamptz
      order by next_attempt_at limit ${limit} for update skip locked)
    returning id, member_id as "memberId", requested_at as "requestedAt", to_check as "toCheck"`;
}

/** The member's keys that the service has, or may have. */
export async function findKeysToRemove({ database }: Context, memberId: string): Promise<KeyAsRead[]> {
  return database.billingKey.findMany({
    where: { memberId, status: { in: heldKeys.list } },
    select: { customerUid: true, status: true, updatedAt: true },
    orderBy: { customerUid: 'asc' },
  });
}

export type LeftOrder = {
  merchantUid: string;
  status: OrderStatus;
  /** The status of the unresolved charge; null if there is none. Likewise for `refund`. */
  charge: string | null;
  refund: string | null;
};

/** The member's orders that are not erased, with the reason. */
export async function findLeftOrders({ database }: Context, memberId: string): Promise<LeftOrder[]> {
  return database.$queryRaw<LeftOrder[]>`
    select o.merchant_uid as "merchantUid", o.status,
      (select c.status::text from charges c where c.merchant_uid = o.merchant_uid
        and c.status in ${chargeStatuses.blocking.sql}) as charge,
      (select min(r.status::text) from refunds r join payments p using (svc_uid)
        where p.merchant_uid = o.merchant_uid and r.status in ${refundStatuses.blocking.sql}) as refund
    from orders o where o.merchant_uid in ${ordersOf(memberId)}
    order by o.merchant_uid`;
}

/** Orders erased by one statement: a member may have many. */
const ORDERS_AT_ONCE = 100;

export type ErasableOrder = {
  merchantUid: string;
  version: number;
  payments: { svcUid: string; record: JsonObject }[];
};

/** The member's orders without money in transit: closed, or paid with every outcome known. */
export async function findErasableOrders({ database }: Context, memberId: string): Promise<ErasableOrder[]> {
  return database.$queryRaw<ErasableOrder[]>`
    select o.merchant_uid as "merchantUid", o.version,
      (select coalesce(jsonb_agg(jsonb_build_object('svcUid', p.svc_uid, 'record', p.record)), '[]')
        from payments p where p.merchant_uid = o.merchant_uid) as payments
    from orders o
    where o.merchant_uid in ${ordersOf(memberId)}
      and o.status in ${finishedOrders.sql}
      and not exists (select from charges c where c.merchant_uid = o.merchant_uid
        and c.status in ${chargeStatuses.blocking.sql})
      and not exists (select from refunds r join payments p using (svc_uid) where p.merchant_uid = o.merchant_uid
        and r.status in ${refundStatuses.blocking.sql})
    order by o.merchant_uid limit ${ORDERS_AT_ONCE}`;
}

/**
 * Erases orders with their payments, charges, refunds and events. Skips an order whose version has changed since it was
 * read. The version is incremented, so that a sync that began earlier cannot write its data back.
 * @param orders with the payment records to store
 * @returns how many were erased
 */
export async function writeErasedOrders(
  { database, clock, features }: Context,
  orders: readonly ErasableOrder[],
): Promise<number> {
  const now = clock.now();
  const erased = (table: string) => erasedColumns(features, table);
  const rows = await database.$queryRaw<{ count: number }[]>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as i (
        "merchantUid" text, version int, payments jsonb)
    ), erased as (
      update orders o set ${erased('orders')}, erased_at = ${now}::timestamptz, version = o.version + 1,
        updated_at = ${now}::timestamptz
      from input i where o.merchant_uid = i."merchantUid" and o.version = i.version
      returning o.merchant_uid
    ), payments_updated as (
      update payments p set ${erased('payments')}, record = r.record
      from input i join erased on erased.merchant_uid = i."merchantUid",
        jsonb_to_recordset(i.payments) as r ("svcUid" text, record jsonb)
      where p.svc_uid = r."svcUid"
    ), charges_updated as (
      update charges c set ${erased('charges')} from erased where c.merchant_uid = erased.merchant_uid
    ), refunds_updated as (
      -- A payment that fits no order has no row: its refund is that of a discrepancy.
      update refunds r set ${erased('refunds')} from (
        select p.svc_uid, null::bigint as discrepancy_id from erased join payments p using (merchant_uid)
        union select d.svc_uid, d.id from erased join discrepancies d using (merchant_uid)) paid
      where r.svc_uid = paid.svc_uid and (paid.discrepancy_id is null or paid.discrepancy_id = r.discrepancy_id)
    ), events_updated as (
      update events e set data = e.data || '{"member_id": null}' from erased where e.stream = erased.merchant_uid
    )
    select count(*)::int as count from erased`;
  return rows[0]?.count ?? 0;
}

/** The rows of options about members. */
export const memberRows = ({ features }: Context): MemberRows[] =>
  features.flatMap((feature) => feature.memberRows ?? []);

/**
 * Erases the rest and finishes the erasure, all or nothing, if no money of the member can move. A card or an order
 * registered meanwhile is not seen, and stays.
 * @returns whether it is finished
 */
export async function finishErasure(context: Context, memberId: string): Promise<boolean> {
  return context.database.$atomically(async (run) => {
    const [open] = await run.$queryRaw<{ id: bigint }[]>`
      select e.id from erasures e
      where e.member_id = ${memberId} and not exists (select from ${ordersOf(memberId)} o)
        and not exists (select from billing_keys k
          where k.member_id = ${memberId} and k.status in ${heldKeys.sql})
      for update`;
    if (!open) return false;
    for (const rows of memberRows(context)) if (!(await rows.erase(context, run, memberId))) return false;
    await eraseKeys(context, run, memberId);
    await run.$executeRaw`
      update erasures set ${erasedColumns(context.features, 'erasures')},
        finished_at = ${context.clock.now()}::timestamptz, next_attempt_at = null
      where id = ${open.id}`;
    return true;
  }, 'RepeatableRead');
}

async function eraseKeys({ features }: Context, run: Transaction, memberId: string): Promise<void> {
  await run.$executeRaw`
    update billing_key_issuances i set ${erasedColumns(features, 'billing_key_issuances')}
    from billing_keys k where k.member_id = ${memberId} and i.customer_uid = k.customer_uid`;
  await run.$executeRaw`
    update events e set data = e.data || '{"member_id": null, "card_number": null}'
    from billing_keys k where k.member_id = ${memberId} and e.stream = 'card:' || k.customer_uid`;
  await run.$executeRaw`
    update billing_keys set ${erasedColumns(features, 'billing_keys')} where member_id = ${memberId}`;
}
