// Money movements by the time at which they happened, for bookkeeping: each payment, and each part of its refunds. There
// is no table of movements, because the payments hold all that is known about them:
//
// - A payment, also a deposit to a virtual account, has one amount and one `paid_at` (§2.4).
// - `cancel_history` of its record has an entry for each refund, ours and those made at the service's console, with its
//   own time, amount and PG transaction. A record is stored only if the history adds up to `cancel_amount`.
// - The history is optional (§2.4). Without it our own refunds say when and how much, and the rest has the time of the
//   last cancellation.
//
// A payment that the newer generation alone has shown lacks these times; `complete-payments.ts` fetches them. A payment
// that fits no order is a discrepancy and has no row, so it is not a movement either.

import { Prisma } from '../../../generated/prisma/client';
import type { ReportedIds } from '../../core/payments/fetch-payment';
import { HAS_MOVED, mayBeRefundedSince, PAID_AT, refundParts } from '../../core/refunds/movement-store';
import type { Context } from '../../platform/context';

/** Both ends are included. */
export type LedgerPeriod = { from: Date; to: Date };

/** The order of the ledger: by time, then payment, then part. */
export type Place = {
  at: Date;
  svcUid: string;
  /**
   * Which movement of the payment: 0 is the payment itself, a refund has the total that is refunded after it, and -1 is
   * the rest of a refunded amount that neither the history nor our refunds explain.
   */
  part: bigint;
};

export type Movement = Place & {
  kind: 'payment' | 'refund';
  /** Negative for a refund. */
  amount: bigint;
  /** The part of the amount without tax; null if only the service knows how it divided a refund. */
  taxFree: bigint | null;
  /** The VAT in the rest, 1/11 of it; null without `taxFree`, and for another currency than won. */
  vat: bigint | null;
  currency: string;
  payMethod: string | null;
  merchantUid: string;
  /** Our refund; null for a payment, and for a cancellation at the service's console. */
  refundId: bigint | null;
  approvalNumber: string | null;
  cardCompany: string | null;
  pgProvider: string | null;
  /** The PG's transaction: that of the cancellation for a refund, if the service names it. */
  pgTid: string | null;
  /** That of the payment. */
  paymentTid: string | null;
  /** From an imported settlement file; null before. */
  fee: bigint | null;
  /** A day such as 2026-11-21; null before. */
  paidOutOn: string | null;
};

/** What is listed: movements of a period, or those of them that a settlement file has named, or has not. */
export type LedgerFilter = LedgerPeriod & { isPaidOut?: boolean | undefined };

/** At most `take` movements after the place, in the order of the ledger. */
export async function findMovements(
  { database }: Context,
  { from, to, isPaidOut }: LedgerFilter,
  after: Place | undefined,
  take: number,
): Promise<Movement[]> {
  const start = after?.at ?? from;
  const isListed = (part: Prisma.Sql) => whetherPaidOut(isPaidOut, part);
  const follows = (at: Prisma.Sql, part: Prisma.Sql) =>
    after
      ? Prisma.sql`and (${at}, p.svc_uid, ${part}) > (${after.at}::timestamptz, ${after.svcUid}, ${after.part}::bigint)`
      : Prisma.empty;
  return database.$queryRaw<Movement[]>`
    ${selectMovements(
      Prisma.sql`
        (select ${paymentColumns} from payments p ${OF_ORDER}
        where ${HAS_MOVED} and ${PAID_AT} >= ${start}::timestamptz and ${PAID_AT} <= ${to}::timestamptz
          ${follows(PAID_AT, Prisma.sql`0`)} ${isListed(Prisma.sql`0`)}
        order by ${PAID_AT}, p.svc_uid limit ${take})
        union all
        (select ${refundColumns} from payments p ${OF_ORDER} cross join lateral ${refundParts} refund
        where ${mayBeRefundedSince(start)} and refund.at >= ${start}::timestamptz and refund.at <= ${to}::timestamptz
          ${follows(Prisma.sql`refund.at`, Prisma.sql`refund.part`)} ${isListed(Prisma.sql`refund.part`)}
        order by refund.at, p.svc_uid, refund.part limit ${take})`,
    )}
    order by at, "svcUid", part limit ${take}`;
}

/** Movements of a period that no settlement file has named, or only those that one has. */
const whetherPaidOut = (isPaidOut: boolean | undefined, part: Prisma.Sql) =>
  isPaidOut === undefined
    ? Prisma.empty
    : Prisma.sql`and exists (select from settlements s where s.svc_uid = p.svc_uid and s.part = ${part}) = ${isPaidOut}`;

// One row for each payment: `offset 0` keeps PostgreSQL from reading all orders instead.
const OF_ORDER = Prisma.raw(
  'cross join lateral (select o.tax_free from orders o where o.merchant_uid = p.merchant_uid offset 0) o',
);
const sharedColumns = Prisma.raw(`p.currency, p.pay_method as "payMethod", p.merchant_uid as "merchantUid",
  p.svc_uid as "svcUid", p.apply_num as "approvalNumber", p.card_name as "cardCompany",
  p.pg_provider as "pgProvider", p.pg_tid as "paymentTid"`);
const vatOf = (taxed: Prisma.Sql) =>
  Prisma.sql`case when p.currency = 'KRW' then round((${taxed}) / 11.0)::bigint end`;
const taxFree = Prisma.raw('least(coalesce(o.tax_free, 0), p.amount)');
const paymentColumns = Prisma.sql`'payment' as kind, ${PAID_AT} as at, p.amount, 0::bigint as part,
  ${taxFree} as "taxFree", ${vatOf(Prisma.sql`p.amount - ${taxFree}`)} as vat,
  null::bigint as "refundId", p.pg_tid as "pgTid", ${sharedColumns}`;
/** Our refund that made this part of the history. */
const ownRefund = (column: string) =>
  Prisma.raw(`(select r.${column} from refunds r where r.svc_uid = p.svc_uid and r.status = 'refunded'
    and (r.id = refund.id or r.amount = refund.amount and r.cancelled_before + r.amount = refund.part) limit 1)`);
/** A refund of a payment that has both parts says how they divide only if it names its own part or refunds the whole. */
const refundedTaxFree = Prisma.sql`case when ${taxFree} = 0 then 0 when ${taxFree} = p.amount then refund.amount
  when refund.amount = p.amount then ${taxFree} else ${ownRefund('tax_free')} end`;
/** What is refunded after a part, less what was before: so the parts of a whole refund have the VAT of the payment. */
const refundedVat = Prisma.sql`case
  when ${taxFree} > 0 then ${vatOf(Prisma.sql`refund.amount - ${refundedTaxFree}`)}
  when refund.part < refund.amount then ${vatOf(Prisma.sql`refund.amount`)}
  else ${vatOf(Prisma.sql`refund.part`)} - ${vatOf(Prisma.sql`refund.part - refund.amount`)} end`;
const refundColumns = Prisma.sql`'refund' as kind, refund.at, -refund.amount as amount, refund.part,
  -(${refundedTaxFree}) as "taxFree", -(${refundedVat}) as vat,
  coalesce(refund.id, ${ownRefund('id')}) as "refundId",
  coalesce(refund.pg_tid, p.pg_tid) as "pgTid", ${sharedColumns}`;

/** With what is known about their settlement. */
const selectMovements = (movements: Prisma.Sql) => Prisma.sql`
  select movements.*, s.fee, to_char(s.paid_out_on, 'YYYY-MM-DD') as "paidOutOn"
  from (${movements}) movements
  left join settlements s on s.svc_uid = movements."svcUid" and s.part = movements.part`;

/** All movements whose payments fulfil the condition. */
export const movementsOf = (condition: Prisma.Sql) =>
  selectMovements(Prisma.sql`
    (select ${paymentColumns} from payments p ${OF_ORDER} where ${HAS_MOVED} and ${condition})
    union all
    (select ${refundColumns} from payments p ${OF_ORDER} cross join lateral ${refundParts} refund
    where p.cancel_amount > 0 and ${condition})`);

/** All movements of a period whose payments fulfil the condition. */
export const movementsBetween = ({ from, to, isPaidOut }: LedgerFilter, condition: Prisma.Sql = ANY) =>
  selectMovements(Prisma.sql`
    (select ${paymentColumns} from payments p ${OF_ORDER}
    where ${HAS_MOVED} and ${PAID_AT} >= ${from}::timestamptz and ${PAID_AT} <= ${to}::timestamptz
      and ${condition} ${whetherPaidOut(isPaidOut, Prisma.sql`0`)})
    union all
    (select ${refundColumns} from payments p ${OF_ORDER} cross join lateral ${refundParts} refund
    where ${mayBeRefundedSince(from)} and refund.at >= ${from}::timestamptz and refund.at <= ${to}::timestamptz
      and ${condition} ${whetherPaidOut(isPaidOut, Prisma.sql`refund.part`)})`);

const ANY = Prisma.sql`true`;

/** Payments that are paid without a time, or refunded without a history; written since then, the latest first. */
export async function findIncompletePayments(
  { database }: Context,
  since: Date,
  take: number,
): Promise<ReportedIds[]> {
  return database.$queryRaw<ReportedIds[]>`
    select svc_uid as "svcUid", merchant_uid as "merchantUid" from (
      (select svc_uid, merchant_uid, updated_at from payments
      where (status = 'paid' or cancel_amount > 0) and paid_at is null and updated_at >= ${since}::timestamptz
      order by updated_at desc limit ${take})
      union
      (select svc_uid, merchant_uid, updated_at from payments
      where cancel_amount > 0 and updated_at >= ${since}::timestamptz
        and coalesce(record -> 'cancel_history', '[]') in ('[]', 'null')
      order by updated_at desc limit ${take})) incomplete
    order by updated_at desc limit ${take}`;
}
