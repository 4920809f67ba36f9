// Rows of the lists that only operators have: orders by latest change, payments by the time at which they were paid, both
// also by amount; and what the rows of a list add up to.

import {
  Prisma,
  type OrderStatus,
  type Payment,
  type PaymentStatus,
} from '../../../../generated/prisma/client';
import type { StoredOrder } from '../../../core/orders/order-store';
import { HAS_MOVED, mayBeRefundedSince, PAID_AT, refundParts } from '../../../core/refunds/movement-store';
import type { RefundFilter } from '../../../core/refunds/refund-store';
import type { Context } from '../../../platform/context';

export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export type Sort = (typeof SORTS)[number];

type LatestFilter = {
  merchantUid?: string | undefined;
  memberId?: string | undefined;
  /** Both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Default: the latest first; the JSON API's list starts with the oldest. */
  sort?: Sort | undefined;
  /** The place of the last row of the page before. */
  after?: string | undefined;
};
/** `from`, `to`: time of the last change. */
export type OrderFilter = LatestFilter & { status?: OrderStatus | undefined };
export const MOVEMENTS = ['paid', 'refunded'] as const;
/** `from`, `to`: when it was paid; when it was stored, if it was not paid. With `money` `refunded`: when it was refunded. */
export type PaymentFilter = LatestFilter & {
  status?: PaymentStatus | undefined;
  /** Only payments whose money has moved so. */
  money?: (typeof MOVEMENTS)[number] | undefined;
  currency?: string | undefined;
};

/** A table whose latest rows are listed. */
type Listed = { table: Prisma.Sql; id: Prisma.Sql; at: Prisma.Sql };
const ORDERS: Listed = {
  table: Prisma.sql`orders`,
  id: Prisma.sql`merchant_uid`,
  at: Prisma.sql`updated_at`,
};
const PAYMENTS: Listed = { table: Prisma.sql`payments p`, id: Prisma.sql`p.svc_uid`, at: PAID_AT };

/** `place`: its position in this order, from which the next page starts. */
export type ListedOrder = StoredOrder & { place: string };
export type ListedPayment = Payment & { place: string; order: { name: string; memberId: string | null } };

/** Orders by their latest change or by amount. */
export async function findLatestOrders(
  { database }: Context,
  filter: OrderFilter,
  take: number,
): Promise<ListedOrder[]> {
  const found = await findLatest(database, ORDERS, orderConditions(filter), filter, take);
  const orders = await findOrders(
    database,
    found.map(({ id }) => id),
  );
  return inPlace(found, orders, ({ merchantUid }) => merchantUid);
}

/** Payments by the time at which they were paid, or by amount. */
export async function findLatestPayments(
  { database }: Context,
  filter: PaymentFilter,
  take: number,
): Promise<ListedPayment[]> {
  const found = await findLatest(database, listedPayments(filter), paymentConditions(filter), filter, take);
  const payments = await database.payment.findMany({
    where: { svcUid: { in: found.map(({ id }) => id) } },
    include: { order: { select: { name: true, memberId: true } } },
  });
  return inPlace(found, payments, ({ svcUid }) => svcUid);
}

function inPlace<Row extends object>(
  found: readonly { id: string; place: string }[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): (Row & { place: string })[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return found.flatMap(({ id, place }) => {
    const row = byId.get(id);
    return row ? [{ ...row, place }] : [];
  });
}

/** By amount, only the latest COUNTED_ROWS of the filters are sorted, so that no page sorts a whole table. */
async function findLatest(
  database: Context['database'],
  { table, id, at }: Listed,
  conditions: readonly Condition[],
  filter: LatestFilter,
  take: number,
): Promise<{ id: string; place: string }[]> {
  const sort = filter.sort ?? 'newest';
  const isByAmount = sort === 'largest' || sort === 'smallest';
  const isDescending = sort === 'newest' || sort === 'largest';
  const direction = Prisma.raw(isDescending ? 'desc' : 'asc');
  const type = Prisma.raw(isByAmount ? 'bigint' : 'timestamptz');
  const latest = Prisma.sql`(select ${id} as id, ${at} as at, amount from ${table} ${whereAll(conditions)}
    order by ${at} desc, ${id} desc limit ${COUNTED_ROWS}) latest`;
  const [from, row, value] = isByAmount ? [latest, Prisma.sql`id`, Prisma.sql`amount`] : [table, id, at];
  const after = toPlace(filter.after);
  const isAfter = Prisma.raw(isDescending ? '<' : '>');
  const rest = [
    ...(isByAmount ? [] : conditions),
    // The first condition lets the index scan start there.
    after !== null &&
      Prisma.sql`${value} ${isAfter}= ${after.value}::${type}
        and (${value}, ${row}) ${isAfter} (${after.value}::${type}, ${after.id})`,
  ];
  const text = isByAmount
    ? Prisma.sql`amount::text`
    : Prisma.sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return database.$queryRaw<{ id: string; place: string }[]>`
    select ${row} as id, ${text} || ',' || ${row} as place
    from ${from} ${whereAll(rest)}
    order by ${value} ${direction}, ${row} ${direction} limit ${take}`;
}

/** These orders with their payments, in this order. */
export async function findOrdersById({ database }: Context, ids: readonly string[]): Promise<StoredOrder[]> {
  const orders = await findOrders(database, ids);
  return ids.flatMap((id) => orders.find(({ merchantUid }) => merchantUid === id) ?? []);
}

function findOrders(database: Context['database'], ids: readonly string[]): Promise<StoredOrder[]> {
  return database.order.findMany({
    where: { merchantUid: { in: [...ids] } },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
  });
}

/** A time or an amount, and the id. */
export const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\d{1,18}),([\w.-]{1,64})$/;

function toPlace(text = ''): { value: string; id: string } | null {
  const [, value, id] = PLACE.exec(text) ?? [];
  return value === undefined || id === undefined ? null : { value, id };
}

function orderConditions({ merchantUid, memberId, status, from, to }: OrderFilter): Condition[] {
  return [
    merchantUid !== undefined && Prisma.sql`merchant_uid = ${merchantUid}`,
    memberId !== undefined && Prisma.sql`member_id = ${memberId}`,
    status !== undefined && Prisma.sql`status = ${status}::order_status`,
    ...periodOf(ORDERS.at, { from, to }),
  ];
}

/** An order, a member or a period of refunds has few payments, so they are read first instead of filtering all payments. */
function listedPayments({ merchantUid, memberId, money, from }: PaymentFilter): Listed {
  const ofOne = [
    money === 'refunded' && from !== undefined && mayBeRefundedSince(from, 'payments'),
    merchantUid !== undefined && Prisma.sql`merchant_uid = ${merchantUid}`,
    memberId !== undefined &&
      Prisma.sql`merchant_uid = any (array(select merchant_uid from orders where member_id = ${memberId}
        order by updated_at desc limit ${READ_ROWS}))`,
  ];
  if (ofOne.every((condition) => condition === false)) return PAYMENTS;
  return { ...PAYMENTS, table: Prisma.sql`(select * from payments ${whereAll(ofOne)} offset 0) p` };
}

function paymentConditions({ status, money, currency, from, to }: PaymentFilter): Condition[] {
  return [
    currency !== undefined && Prisma.sql`p.currency = ${currency}`,
    status !== undefined && Prisma.sql`p.status = ${status}::payment_status`,
    money === 'paid' && HAS_MOVED,
    ...(money === 'refunded'
      ? [
          Prisma.sql`p.cancel_amount > 0`,
          Prisma.sql`exists (select from ${refundParts} refund ${whereAll(refundedIn({ from, to }))})`,
        ]
      : periodOf(PAYMENTS.at, { from, to })),
  ];
}

const refundedIn = (period: Pick<LatestFilter, 'from' | 'to'>) => periodOf(Prisma.sql`refund.at`, period);

export function periodOf(at: Prisma.Sql, { from, to }: Pick<LatestFilter, 'from' | 'to'>): Condition[] {
  return [
    from !== undefined && Prisma.sql`${at} >= ${from}::timestamptz`,
    to !== undefined && Prisma.sql`${at} <= ${to}::timestamptz`,
  ];
}

/** What all rows of the filters add up to, by currency. */
export type Totals = {
  count: number;
  sums: readonly { currency: string; amount: number; refunded?: number }[];
  /** The number of refunds, where the sums are of refunds. */
  refunds?: number;
};

/** Rows are counted and added up to this number. */
export const COUNTED_ROWS = 10_000;
/** One more, to know whether there are more. */
export const READ_ROWS = COUNTED_ROWS + 1;

/** Orders and what they cost. */
export async function totalOrders({ database }: Context, filter: OrderFilter): Promise<Totals> {
  const rows = await database.$queryRaw<TotalRow[]>`
    select currency, count(*)::int as count, sum(amount)::text as amount from (
      select currency, amount from orders ${whereAll(orderConditions(filter))}
      order by updated_at desc limit ${READ_ROWS}) counted
    group by currency order by currency`;
  return toTotals(rows);
}

/**
 * Payments, what was paid with them, as in the ledger, and what of it has been refunded by now. With `money` `refunded`:
 * what was refunded in the period.
 */
export async function totalPayments({ database }: Context, filter: PaymentFilter): Promise<Totals> {
  const { table, at } = listedPayments(filter);
  if (filter.money === 'refunded') {
    const refunds = await database.$queryRaw<(TotalRow & { refunds: number })[]>`
      select p.currency, count(*)::int as count, sum(refunded.count)::int as refunds, sum(refunded.amount)::text as amount
      from (select p.* from ${table} ${whereAll(paymentConditions(filter))} order by ${at} desc limit ${READ_ROWS}) p
      cross join lateral (select count(*) as count, sum(amount) as amount from ${refundParts} refund
        ${whereAll(refundedIn(filter))}) refunded
      group by p.currency order by p.currency`;
    return { ...toTotals(refunds), refunds: refunds.reduce((sum, row) => sum + row.refunds, 0) };
  }
  const rows = await database.$queryRaw<TotalRow[]>`
    select currency, count(*)::int as count, coalesce(sum(amount) filter (where has_moved), 0)::text as amount,
      sum(cancel_amount)::text as refunded
    from (
      select p.currency, p.amount, p.cancel_amount, ${HAS_MOVED} as has_moved
      from ${table} ${whereAll(paymentConditions(filter))}
      order by ${at} desc limit ${READ_ROWS}) counted
    group by currency order by currency`;
  return toTotals(rows);
}

/** Refunds and what was refunded with them: one that was refused counts, and its amount does not. */
export async function totalRefunds(
  { database }: Context,
  { svcUid, status, needsPerson }: RefundFilter,
): Promise<Totals> {
  const conditions = [
    svcUid !== undefined && Prisma.sql`svc_uid = ${svcUid}`,
    status !== undefined && Prisma.sql`status = ${status}::refund_status`,
    needsPerson !== undefined && Prisma.sql`(status = 'needs_review') = ${needsPerson}`,
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

/** False: its filter is not asked for. */
export type Condition = Prisma.Sql | false;

export function whereAll(conditions: readonly Condition[]): Prisma.Sql {
  const asked = conditions.filter((condition) => condition !== false);
  return asked.length > 0 ? Prisma.sql`where ${Prisma.join(asked, ' and ')}` : Prisma.empty;
}
