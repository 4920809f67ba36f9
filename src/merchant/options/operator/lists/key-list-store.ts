// The billing keys of all members, for the list that only operators have.

import { Prisma, type BillingKey } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import { whereAll } from './store';

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
