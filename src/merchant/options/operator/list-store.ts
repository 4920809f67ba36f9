// Rows of the lists that only operators have: orders by latest change, and the billing keys of all members.

import { Prisma, type BillingKey, type OrderStatus } from '../../../generated/prisma/client';
import type { OrderPosition, StoredOrder } from '../../core/orders/order-store';
import type { Context } from '../../platform/context';

export type LatestOrderFilter = {
  merchantUid?: string | undefined;
  status?: OrderStatus | undefined;
  /** Time of the last change; both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last order of the page before. */
  after?: OrderPosition | undefined;
};

/** Latest change first; the JSON API's list starts with the oldest. */
export async function findLatestOrders(
  { database }: Context,
  { merchantUid, status, from, to, after }: LatestOrderFilter,
  take: number,
): Promise<StoredOrder[]> {
  return database.order.findMany({
    where: {
      ...(merchantUid !== undefined && { merchantUid }),
      ...(status !== undefined && { status }),
      updatedAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
      ...(after !== undefined && {
        AND: {
          // The first condition lets the index scan start there.
          updatedAt: { lte: after.updatedAt },
          OR: [{ updatedAt: { lt: after.updatedAt } }, { merchantUid: { lt: after.merchantUid } }],
        },
      }),
    },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
    orderBy: [{ updatedAt: 'desc' }, { merchantUid: 'desc' }],
    take,
  });
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
