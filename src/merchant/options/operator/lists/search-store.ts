// Finds what an operator searches for. Each condition is bounded in one of two ways. By an index, as equality: ids, the
// buyer's name, mail and phone, the approval number. Or within the latest LATEST rows, which an index on their time reads:
// amounts and the last four digits, which many rows share. Nothing is searched for by a part of a text.

import { Prisma, type Discrepancy, type Payment } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import { findKeys, type ListedKey } from './key-list-store';
import type { Search } from './search-text';

/** Of each kind. One more is read, to know whether there are more. */
export const SHOWN = 10;
const READ = SHOWN + 1;
/** Rows that are looked through for an amount or for digits of a card. */
const LATEST = 10_000;

/** Buyers' phone numbers without separators, as in the index over it. */
const phone = Prisma.sql`translate(buyer_tel, ' ()-.+', '')`;

/** The merchant_uid of orders, the latest change first. */
export async function findOrderIds({ database }: Context, search: Search): Promise<string[]> {
  const { text, phones, amount } = search;
  const parts = [
    Prisma.sql`select merchant_uid, updated_at from orders where merchant_uid = ${text}`,
    latestOf(Prisma.sql`buyer_name = ${text}`),
    latestOf(Prisma.sql`lower(buyer_email) = ${text.toLowerCase()}`),
    ...(phones.length === 0 ? [] : [latestOf(Prisma.sql`${phone} in (${Prisma.join([...phones])})`)]),
    ...(amount === null
      ? []
      : [
          Prisma.sql`(select merchant_uid, updated_at from (
              select merchant_uid, updated_at, amount from orders order by updated_at desc limit ${LATEST}) latest
            where amount = ${amount} limit ${READ})`,
        ]),
  ];
  const found = await database.$queryRaw<{ merchantUid: string }[]>`
    select merchant_uid as "merchantUid" from (${Prisma.join(parts, ' union ')}) found
    order by updated_at desc, merchant_uid limit ${READ}`;
  return found.map(({ merchantUid }) => merchantUid);
}

/** The offset makes PostgreSQL find the rows by the condition's index, and not by walking through all by time. */
function latestOf(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(select merchant_uid, updated_at from (
      select merchant_uid, updated_at from orders where ${condition} offset 0) same
    order by updated_at desc limit ${READ})`;
}

/** The latest payment first. */
export async function findPaymentsByText(
  { database }: Context,
  { text, amount, lastFour }: Search,
): Promise<Payment[]> {
  const latest = [
    ...(amount === null ? [] : [Prisma.sql`amount = ${amount}`]),
    ...(lastFour === null ? [] : [Prisma.sql`right(card_number, 4) = ${lastFour}`]),
  ];
  const parts = [
    Prisma.sql`select svc_uid, ${PAID_AT} as at from payments where svc_uid = ${text}`,
    Prisma.sql`(select svc_uid, ${PAID_AT} as at from payments where apply_num = ${text} limit ${READ})`,
    ...(latest.length === 0
      ? []
      : [
          Prisma.sql`(select svc_uid, at from (
              select svc_uid, ${PAID_AT} as at, amount, card_number from payments
              where status = 'paid' or cancel_amount > 0 order by ${PAID_AT} desc limit ${LATEST}) latest
            where ${Prisma.join(latest, ' or ')} limit ${READ})`,
        ]),
  ];
  const found = await database.$queryRaw<{ svcUid: string }[]>`
    select svc_uid as "svcUid" from (${Prisma.join(parts, ' union ')}) found
    order by at desc, svc_uid limit ${READ}`;
  const ids = found.map(({ svcUid }) => svcUid);
  const payments = await database.payment.findMany({ where: { svcUid: { in: ids } } });
  return ids.flatMap((id) => payments.find(({ svcUid }) => svcUid === id) ?? []);
}

/** The index `payments_moved` has this time: that of a payment whose time is not known is when it was recorded. */
const PAID_AT = Prisma.sql`coalesce(paid_at, created_at)`;

/** Whether an order or a card names this member. */
export async function findMember({ database }: Context, memberId: string): Promise<string | null> {
  const [order, key] = await Promise.all([
    database.order.findFirst({ where: { memberId }, select: { merchantUid: true } }),
    database.billingKey.findFirst({ where: { memberId }, select: { customerUid: true } }),
  ]);
  return order || key ? memberId : null;
}

/** Cards by the id of their billing key or by their last four digits, the newest first. */
export async function findKeysByText(context: Context, { text, lastFour }: Search): Promise<ListedKey[]> {
  if (lastFour === null) return findKeys(context, { customerUid: text }, READ);
  const found = await context.database.$queryRaw<{ customerUid: string }[]>`
    select customer_uid as "customerUid" from (
      select customer_uid, card_number from billing_keys order by created_at desc limit ${LATEST}) latest
    where right(card_number, 4) = ${lastFour} limit ${READ}`;
  const keys = await Promise.all(found.map(({ customerUid }) => findKeys(context, { customerUid }, 1)));
  return keys.flat();
}

/** By payment or order, also one that is not stored. The latest first. */
export async function findDiscrepanciesByText({ database }: Context, text: string): Promise<Discrepancy[]> {
  return database.discrepancy.findMany({
    where: { OR: [{ svcUid: text }, { merchantUid: text }] },
    orderBy: { id: 'desc' },
    take: READ,
  });
}
