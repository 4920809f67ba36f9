// Reads the rows of a member that no list has: refunds of the member's payments, and notes about them.

import { Prisma, type Note, type Order, type Refund } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';

/** The member of a billing key; null if there is no such key, or the member was erased. */
export async function findKeyOwner({ database }: Context, customerUid: string): Promise<string | null> {
  const key = await database.billingKey.findUnique({ where: { customerUid }, select: { memberId: true } });
  return key?.memberId || null;
}

export type Buyer = Pick<Order, 'buyerName' | 'buyerTel' | 'buyerEmail'>;

/** As the member's latest order with a name has it. */
export async function findBuyer({ database }: Context, memberId: string): Promise<Buyer | null> {
  return database.order.findFirst({
    where: { memberId, buyerName: { not: null } },
    orderBy: { updatedAt: 'desc' },
    select: { buyerName: true, buyerTel: true, buyerEmail: true },
  });
}

/** Orders of a member whose refunds and notes are read: the latest ones. */
const MOST_ORDERS = 1000;
const latestOrders = (
  memberId: string,
) => Prisma.sql`(select merchant_uid from orders where member_id = ${memberId}
  order by updated_at desc limit ${MOST_ORDERS})`;

/** The newest first. */
export async function findMemberRefunds(
  { database }: Context,
  memberId: string,
  take: number,
): Promise<Refund[]> {
  const refunds = await database.$queryRaw<{ id: bigint }[]>`
    select r.id from ${latestOrders(memberId)} o
    join payments p using (merchant_uid) join refunds r on r.svc_uid = p.svc_uid
    order by r.id desc limit ${take}`;
  return database.refund.findMany({
    where: { id: { in: refunds.map(({ id }) => id) } },
    orderBy: { id: 'desc' },
  });
}

export type MemberNote = Pick<Note, 'writtenAt' | 'writtenBy' | 'text'> & { merchantUid: string };

/** Notes about the member's orders, the newest first. */
export async function findMemberNotes(
  { database }: Context,
  memberId: string,
  take: number,
): Promise<MemberNote[]> {
  return database.$queryRaw<MemberNote[]>`
    select n.written_at as "writtenAt", n.written_by as "writtenBy", n.text, o.merchant_uid as "merchantUid"
    from ${latestOrders(memberId)} o
    join notes n on n.subject = 'order' and n.subject_id = o.merchant_uid
    order by n.id desc limit ${take}`;
}
