// Rows of the lists that only operators have: orders by latest change or by amount, and the billing keys of all members;
// and what the rows of a list add up to.

import {
  Prisma,
  type BillingKey,
  type OrderStatus,
  type RefundStatus,
} from '../../../generated/prisma/client';
import type { StoredOrder } from '../../core/orders/order-store';
import type { Context } from '../../platform/context';
import { COUNTED_ROWS, type Totals } from './operator-list';

export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export type Sort = (typeof SORTS)[number];

export type LatestOrderFilter = {
  merchantUid?: string | undefined;
  memberId?: string | undefined;
  status?: OrderStatus | undefined;
  /** Time of the last change; both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Default: the latest change first; the JSON API's list starts with the oldest. */
  sort?: Sort | undefined;
  /** The place of the last order of the page before. */
  after?: string | undefined;
};

/** `place`: its position in this order, from which the next page starts. */
export type ListedOrder = StoredOrder & { place: string };

/** By amount, only the latest COUNTED_ROWS orders of the filters are sorted, so that no page sorts a whole table. */
export async function findLatestOrders(
  { database }: Context,
  filter: LatestOrderFilter,
  take: number,
): Promise<ListedOrder[]> {
  const sort = filter.sort ?? 'newest';
  const isByAmount = sort === 'largest' || sort === 'smallest';
  const isDescending = sort === 'newest' || sort === 'largest';
  const direction = Prisma.raw(isDescending ? 'desc' : 'asc');
  const { value, type, column } = isByAmount
    ? { value: Prisma.sql`amount::text`, type: Prisma.raw('bigint'), column: Prisma.raw('amount') }
    : { value: UPDATED_AT, type: Prisma.raw('timestamptz'), column: Prisma.raw('updated_at') };
  const conditions = conditionsOf(filter);
  const from = isByAmount
    ? Prisma.sql`(select merchant_uid, amount from orders ${whereAll(conditions)}
        order by updated_at desc, merchant_uid desc limit ${COUNTED_ROWS}) latest`
    : Prisma.sql`orders`;
  const after = toPlace(filter.after);
  const isAfter = Prisma.raw(isDescending ? '<' : '>');
  const rest = [
    ...(isByAmount ? [] : conditions),
    // The first condition lets the index scan start there.
    ...(after
      ? [
          Prisma.sql`${column} ${isAfter}= ${after.value}::${type}
            and (${column}, merchant_uid) ${isAfter} (${after.value}::${type}, ${after.merchantUid})`,
        ]
      : []),
  ];
  const found = await database.$queryRaw<{ merchantUid: string; place: string }[]>`
    select merchant_uid as "merchantUid", ${value} || ',' || merchant_uid as place
    from ${from} ${whereAll(rest)}
    order by ${column} ${direction}, merchant_uid ${direction} limit ${take}`;
  const orders = await findOrders(
    database,
    found.map(({ merchantUid }) => merchantUid),
  );
  return found.flatMap(({ merchantUid, place }) => {
    const order = orders.find((each) => each.merchantUid === merchantUid);
    return order ? [{ ...order, place }] : [];
  });
}

/** These orders with their payments, in this order. */
export async function findOrdersById({ database }: Context, ids: readonly string[]): Promise<StoredOrder[]> {
  const orders = await findOrders(database, ids);
  return ids.flatMap((id) => orders.find(({ merchantUid }) => merchantUid === id) ?? []);
}

function findOrders(database: Context['database'], ids: readonly string[]) {
  return database.order.findMany({
    where: { merchantUid: { in: [...ids] } },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
  });
}

const UPDATED_AT = Prisma.sql`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A time or an amount, and the merchant_uid. */
export const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\d{1,18}),([\w.-]{1,64})$/;

function toPlace(text = ''): { value: string; merchantUid: string } | null {
  const [, value, merchantUid] = PLACE.exec(text) ?? [];
  return value === undefined || merchantUid === undefined ? null : { value, merchantUid };
}

function conditionsOf({ merchantUid, memberId, status, from, to }: LatestOrderFilter): Prisma.Sql[] {
  return [
    ...(merchantUid === undefined ? [] : [Prisma.sql`merchant_uid = ${merchantUid}`]),
    ...(memberId === undefined ? [] : [Prisma.sql`member_id = ${memberId}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}::order_status`]),
    ...(from === undefined ? [] : [Prisma.sql`updated_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [Prisma.sql`updated_at <= ${to}::timestamptz`]),
  ];
}

/** One more than is counted, to know whether there are more. */
const READ_ROWS = COUNTED_ROWS + 1;

/** Orders and what they cost. */
export async function totalOrders({ database }: Context, filter: LatestOrderFilter): Promise<Totals> {
  const rows = await database.$queryRaw<TotalRow[]>`
    select currency, count(*)::int as count, sum(amount)::text as amount from (
      select currency, amount from orders ${whereAll(conditionsOf(filter))}
      order by updated_at desc limit ${READ_ROWS}) counted
    group by currency order by currency`;
  return toTotals(rows);
}

/**
 * Payments of the latest COUNTED_ROWS orders, each found by its order (without the offset, PostgreSQL may read all): what was
 * paid with them, and what of it was refunded.
 */
export async function totalPayments({ database }: Context, filter: LatestOrderFilter): Promise<Totals> {
  const rows = await database.$queryRaw<TotalRow[]>`
    select p.currency, count(*)::int as count,
      coalesce(sum(p.amount) filter (where p.status = 'paid' or p.cancel_amount > 0), 0)::text as amount,
      sum(p.cancel_amount)::text as refunded
    from (
      select merchant_uid from orders ${whereAll(conditionsOf(filter))}
      order by updated_at desc limit ${READ_ROWS}) counted
    cross join lateral (select * from payments p where p.merchant_uid = counted.merchant_uid offset 0) p
    group by p.currency order by p.currency`;
  return toTotals(rows);
}

export type RefundTotalFilter = {
  svcUid?: string | undefined;
  status?: RefundStatus | undefined;
  /** True: only a person can resolve it. */
  needsPerson?: boolean | undefined;
};

/** Refunds and what was refunded with them: one that was refused counts, and its amount does not. */
export async function totalRefunds(
  { database }: Context,
  { svcUid, status, needsPerson }: RefundTotalFilter,
): Promise<Totals> {
  const conditions = [
    ...(svcUid === undefined ? [] : [Prisma.sql`svc_uid = ${svcUid}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}::refund_status`]),
    ...(needsPerson === undefined ? [] : [Prisma.sql`(status = 'needs_review') = ${needsPerson}`]),
  ];
  const rows = await database.$queryRaw<TotalRow[]>`
    select coalesce(currency, '') as currency, count(*)::int as count,
      coalesce(sum(amount) filter (where status = 'refunded'), 0)::text as amount
    from (
      select currency, amount, status from refunds ${whereAll(conditions)}
      order by id desc limit ${READ_ROWS}) counted
    group by 1 order by 1`;
  return toTotals(rows);
}

type TotalRow = { currency: string; count: number; amount: string; refunded?: string };

function toTotals(rows: readonly TotalRow[]): Totals {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    sums: rows.map(({ currency, amount, refunded }) => ({
      currency,
      amount: Number(amount),
      ...(refunded !== undefined && { refunded: Number(refunded) }),
    })),
  };
}

/** `lastPaidAt`: time of the last payment with this key that fits its order; null if there is none. */
export type ListedKey = Pick<
  BillingKey,
  'customerUid' | 'memberId' | 'status' | 'cardNumber' | 'cardName' | 'createdAt'
> & { lastPaidAt: Date | null };

export type KeyFilter = {
  customerUid?: string | undefined;
  memberId?: string | undefined;
  status?: BillingKey['status'] | undefined;
  /** The last key of the page before. */
  after?: KeyPosition | undefined;
};

export type KeyPosition = Pick<BillingKey, 'createdAt' | 'customerUid'>;

/** Billing keys of all members, newest first. */
export async function findKeys(
  { database }: Context,
  { customerUid, memberId, status, after }: KeyFilter,
  take: number,
): Promise<ListedKey[]> {
  const ofOne = [
    ...(customerUid === undefined ? [] : [Prisma.sql`customer_uid = ${customerUid}`]),
    ...(memberId === undefined ? [] : [Prisma.sql`member_id = ${memberId}`]),
  ];
  const ofMany = [
    ...(status === undefined ? [] : [Prisma.sql`k.status = ${status}::billing_key_status`]),
    // The first condition lets the index scan start there.
    ...(after === undefined
      ? []
      : [
          Prisma.sql`k.created_at <= ${after.createdAt}::timestamptz
            and (k.created_at, k.customer_uid) < (${after.createdAt}::timestamptz, ${after.customerUid})`,
        ]),
  ];
  // One member has few keys, so they are read first instead of filtering all keys.
  const keys =
    ofOne.length > 0
      ? Prisma.sql`(select * from billing_keys ${whereAll(ofOne)} offset 0)`
      : Prisma.sql`billing_keys`;
  return database.$queryRaw<ListedKey[]>`
    select k.customer_uid as "customerUid", k.member_id as "memberId", k.status::text as status,
      k.card_number as "cardNumber", k.card_name as "cardName", k.created_at as "createdAt",
      (select max(p.paid_at) from payments p where p.customer_uid = k.customer_uid) as "lastPaidAt"
    from ${keys} k ${whereAll(ofMany)}
    order by k.created_at desc, k.customer_uid desc limit ${take}`;
}

function whereAll(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length > 0 ? Prisma.sql`where ${Prisma.join([...conditions], ' and ')}` : Prisma.empty;
}
