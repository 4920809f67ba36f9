// The billing keys of all members, for the list that only operators have.

import { Prisma, type BillingKey } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import { periodOf, READ_ROWS, whereAll, type Condition, type Totals } from './store';

/** `lastPaidAt`: time of the last payment with this key that fits its order; null if there is none. */
export type ListedKey = Pick<
  BillingKey,
  'customerUid' | 'memberId' | 'status' | 'cardNumber' | 'cardName' | 'createdAt'
> & { lastPaidAt: Date | null };

export type KeyFilter = {
  customerUid?: string | undefined;
  memberId?: string | undefined;
  status?: BillingKey['status'] | undefined;
  /** Whether it can pay, or could until it was removed. */
  registered?: boolean | undefined;
  /** When its registration began; both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last key of the page before. */
  after?: KeyPosition | undefined;
};

export type KeyPosition = Pick<BillingKey, 'createdAt' | 'customerUid'>;

/** Billing keys of all members, newest first. */
export async function findKeys(
  { database }: Context,
  { after, ...filter }: KeyFilter,
  take: number,
): Promise<ListedKey[]> {
  const ofMany = [
    ...conditionsOf(filter),
    // The first condition lets the index scan start there.
    after !== undefined &&
      Prisma.sql`k.created_at <= ${after.createdAt}::timestamptz
        and (k.created_at, k.customer_uid) < (${after.createdAt}::timestamptz, ${after.customerUid})`,
  ];
  return database.$queryRaw<ListedKey[]>`
    select k.customer_uid as "customerUid", k.member_id as "memberId", k.status::text as status,
      k.card_number as "cardNumber", k.card_name as "cardName", k.created_at as "createdAt",
      (select max(p.paid_at) from payments p where p.customer_uid = k.customer_uid) as "lastPaidAt"
    from ${keysOf(filter)} k ${whereAll(ofMany)}
    order by k.created_at desc, k.customer_uid desc limit ${take}`;
}

/** How many they are. */
export async function totalKeys({ database }: Context, filter: KeyFilter): Promise<Totals> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from ${keysOf(filter)} k ${whereAll(conditionsOf(filter))} order by k.created_at desc limit ${READ_ROWS}) counted`;
  return { count: row?.count ?? 0, sums: [] };
}

/** As SQL, of a key `k`. */
export const IS_REGISTERED = Prisma.raw(`k.status in ('active', 'removing', 'removed')`);

function conditionsOf({ status, registered, from, to }: KeyFilter): Condition[] {
  return [
    status !== undefined && Prisma.sql`k.status = ${status}::billing_key_status`,
    registered !== undefined && Prisma.sql`(${IS_REGISTERED}) = ${registered}`,
    ...periodOf(Prisma.sql`k.created_at`, { from, to }),
  ];
}

/** One member has few keys, so they are read first instead of filtering all keys. */
function keysOf({ customerUid, memberId }: KeyFilter): Prisma.Sql {
  const ofOne = [
    customerUid !== undefined && Prisma.sql`customer_uid = ${customerUid}`,
    memberId !== undefined && Prisma.sql`member_id = ${memberId}`,
  ];
  return customerUid !== undefined || memberId !== undefined
    ? Prisma.sql`(select * from billing_keys ${whereAll(ofOne)} offset 0)`
    : Prisma.sql`billing_keys`;
}
