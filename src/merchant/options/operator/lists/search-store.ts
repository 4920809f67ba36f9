// Finds what an operator searches for. Each condition is bounded in one of two ways. By an index, as equality: ids, the
// buyer's name, email and phone, the approval number. Or within the latest LATEST rows, which an index on their time reads:
// amounts, the last four digits, a part of a name, and names typed in the payment window.

import { Prisma, type Discrepancy, type Payment } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import { findKeys, type ListedKey } from './key-list-store';
import type { Search } from './search-text';

/** Rows that are looked through for an amount, for a part of a name or for digits of a card. */
const LATEST = 10_000;

/** Buyers' phone numbers without separators, as in the index over it. */
const phone = Prisma.sql`translate(buyer_tel, ' ()-.+', '')`;

/** The merchant_uid of orders, the latest change first. */
export async function findOrderIds({ database }: Context, search: Search, take: number): Promise<string[]> {
  const { text, forms, names, phones, amount } = search;
  const inForms = Prisma.join([...forms]);
  const latestOf = latestWith(take);
  const parts = [
    Prisma.sql`select merchant_uid, updated_at from orders where merchant_uid in (${inForms})`,
    latestOf(Prisma.sql`buyer_name in (${inForms})`),
    latestOf(Prisma.sql`lower(buyer_email) = ${text.toLowerCase()}`),
    ...(phones.length === 0 ? [] : [latestOf(Prisma.sql`${phone} in (${Prisma.join([...phones])})`)]),
    ...(amount === null && names.length === 0
      ? []
      : [
          Prisma.sql`(select merchant_uid, updated_at from (
              select merchant_uid, updated_at, amount, buyer_name from orders
              order by updated_at desc limit ${LATEST}) latest
            where amount = ${amount} or buyer_name ilike any (${names}::text[]) limit ${take})`,
        ]),
  ];
  const found = await database.$queryRaw<{ merchantUid: string }[]>`
    select merchant_uid as "merchantUid" from (${Prisma.join(parts, ' union ')}) found
    order by updated_at desc, merchant_uid limit ${take}`;
  return found.map(({ merchantUid }) => merchantUid);
}

/** The offset makes PostgreSQL find the rows by the condition's index, and not by walking through all by time. */
function latestWith(take: number): (condition: Prisma.Sql) => Prisma.Sql {
  return (condition) => Prisma.sql`(select merchant_uid, updated_at from (
      select merchant_uid, updated_at from orders where ${condition} offset 0) same
    order by updated_at desc limit ${take})`;
}

type FoundPayment = Payment & { order: { name: string; memberId: string | null } };

/** The latest payment first. */
export async function findPaymentsByText(
  { database }: Context,
  { text, forms, names, amount, lastFour }: Search,
  take: number,
): Promise<FoundPayment[]> {
  const latest = [
    // A buyer who has typed the name in the payment window.
    ...(names.length === 0 ? [] : [Prisma.sql`buyer_name ilike any (${names}::text[])`]),
    ...(amount === null ? [] : [Prisma.sql`amount = ${amount}`]),
    ...(lastFour === null ? [] : [Prisma.sql`right(card_number, 4) = ${lastFour}`]),
  ];
  const parts = [
    Prisma.sql`select svc_uid, ${PAID_AT} as at from payments where svc_uid in (${Prisma.join([...forms])})`,
    Prisma.sql`(select svc_uid, ${PAID_AT} as at from payments where apply_num = ${text} limit ${take})`,
    ...(latest.length === 0
      ? []
      : [
          Prisma.sql`(select svc_uid, at from (
              select svc_uid, ${PAID_AT} as at, amount, card_number,
                ${names.length === 0 ? Prisma.sql`null` : Prisma.sql`record->>'buyer_name'`} as buyer_name from payments
              where status = 'paid' or cancel_amount > 0 order by ${PAID_AT} desc limit ${LATEST}) latest
            where ${Prisma.join(latest, ' or ')} limit ${take})`,
        ]),
  ];
  const found = await database.$queryRaw<{ svcUid: string }[]>`
    select svc_uid as "svcUid" from (${Prisma.join(parts, ' union ')}) found
    order by at desc, svc_uid limit ${take}`;
  const ids = found.map(({ svcUid }) => svcUid);
  const payments = await database.payment.findMany({
    where: { svcUid: { in: ids } },
    include: { order: { select: { name: true, memberId: true } } },
  });
  return ids.flatMap((id) => payments.find(({ svcUid }) => svcUid === id) ?? []);
}

/** The index `payments_moved` has this time: that of a payment whose time is not known is when it was recorded. */
const PAID_AT = Prisma.sql`coalesce(paid_at, created_at)`;

/** The members that orders or cards name. */
export async function findMembers({ database }: Context, { forms }: Search): Promise<string[]> {
  const named = {
    where: { memberId: { in: [...forms] } },
    distinct: ['memberId' as const],
    take: forms.length,
  };
  const [orders, keys] = await Promise.all([
    database.order.findMany({ ...named, select: { memberId: true } }),
    database.billingKey.findMany({ ...named, select: { memberId: true } }),
  ]);
  return [...new Set([...orders, ...keys].flatMap(({ memberId }) => memberId ?? []))];
}

/** Cards by the id of their billing key or by their last four digits, the newest first. */
export async function findKeysByText(
  context: Context,
  { forms, lastFour }: Search,
  take: number,
): Promise<ListedKey[]> {
  const ofForms = forms.map((customerUid) => findKeys(context, { customerUid }, 1));
  if (lastFour === null) return (await Promise.all(ofForms)).flat();
  const found = await context.database.$queryRaw<{ customerUid: string }[]>`
    select customer_uid as "customerUid" from (
      select customer_uid, card_number from billing_keys order by created_at desc limit ${LATEST}) latest
    where right(card_number, 4) = ${lastFour} limit ${take}`;
  const keys = await Promise.all(found.map(({ customerUid }) => findKeys(context, { customerUid }, 1)));
  return keys.flat();
}

/** By payment or order, also one that is not stored. The latest first. */
export async function findDiscrepanciesByText(
  { database }: Context,
  { forms }: Search,
  take: number,
): Promise<Discrepancy[]> {
  const among = { in: [...forms] };
  return database.discrepancy.findMany({
    where: { OR: [{ svcUid: among }, { merchantUid: among }] },
    orderBy: { id: 'desc' },
    take,
  });
}
