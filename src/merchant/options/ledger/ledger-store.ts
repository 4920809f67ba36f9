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
  amount: bigint;
  currency: string;
  merchantUid: string;
  /** Our refund; null for a payment, and for a cancellation at the service's console. */
  refundId: bigint | null;
  approvalNumber: string | null;
  cardCompany: string | null;
  pgProvider: string | null;
  /** The PG's transaction: that of the cancellation for a refund, if the service names it. */
  pgTid: string | null;
  /** From an imported settlement file; null before. */
  fee: bigint | null;
  /** A day such as 2026-11-21; null before. */
  paidOutOn: string | null;
};

export type DaySum = { day: string; currency: string; paid: number; refunded: number };

/** At most `take` movements after the place, in the order of the ledger. */
export async function findMovements(
  { database }: Context,
  { from, to }: LedgerPeriod,
  after: Place | undefined,
  take: number,
): Promise<Movement[]> {
  const start = after?.at ?? from;
  const follows = (at: Prisma.Sql, part: Prisma.Sql) =>
    after
      ? Prisma.sql`and (${at}, p.svc_uid, ${part}) > (${after.at}::timestamptz, ${after.svcUid}, ${after.part}::bigint)`
      : Prisma.empty;
  return database.$queryRaw<Movement[]>`
    ${selectMovements(
      Prisma.sql`
        (select ${paymentColumns} from payments p
        where ${HAS_MOVED} and ${PAID_AT} >= ${start}::timestamptz and ${PAID_AT} <= ${to}::timestamptz
          ${follows(PAID_AT, Prisma.sql`0`)}
        order by ${PAID_AT}, p.svc_uid limit ${take})
        union all
        (select ${refundColumns} from payments p cross join lateral ${refundParts} refund
        where ${mayBeRefundedSince(start)} and refund.at >= ${start}::timestamptz and refund.at <= ${to}::timestamptz
          ${follows(Prisma.sql`refund.at`, Prisma.sql`refund.part`)}
        order by refund.at, p.svc_uid, refund.part limit ${take})`,
    )}
    order by at, "svcUid", part limit ${take}`;
}

/** All movements of these payments, given by svc_uid, or of these orders. */
export async function findMovementsOf(
  { database }: Context,
  by: 'svc_uid' | 'merchant_uid',
  ids: readonly string[],
): Promise<Movement[]> {
  const isOne = Prisma.sql`p.${Prisma.raw(by)} = any (${[...ids]})`;
  return database.$queryRaw<Movement[]>`
    ${selectMovements(
      Prisma.sql`
        (select ${paymentColumns} from payments p where ${HAS_MOVED} and ${isOne})
        union all
        (select ${refundColumns} from payments p cross join lateral ${refundParts} refund
        where p.cancel_amount > 0 and ${isOne})`,
    )}
    order by at, "svcUid", part`;
}

/** Sums of the whole period by day in Seoul and currency. */
export async function sumMovements({ database }: Context, { from, to }: LedgerPeriod): Promise<DaySum[]> {
  return database.$queryRaw<DaySum[]>`
    select to_char(at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as day, currency,
      sum(paid)::float8 as paid, sum(refunded)::float8 as refunded
    from (
      select ${PAID_AT} as at, p.currency, p.amount as paid, 0 as refunded from payments p
      where ${HAS_MOVED} and ${PAID_AT} >= ${from}::timestamptz and ${PAID_AT} <= ${to}::timestamptz
      union all
      select refund.at, p.currency, 0, refund.amount from payments p cross join lateral ${refundParts} refund
      where ${mayBeRefundedSince(from)} and refund.at >= ${from}::timestamptz and refund.at <= ${to}::timestamptz
    ) movements
    group by 1, 2 order by 1, 2 limit ${MOST_SUMS}`;
}

/** More than the days of the longest period in the currencies of §2.4. */
const MOST_SUMS = 1000;

const sharedColumns = Prisma.raw(`p.currency, p.merchant_uid as "merchantUid", p.svc_uid as "svcUid",
  p.apply_num as "approvalNumber", p.card_name as "cardCompany", p.pg_provider as "pgProvider"`);
const paymentColumns = Prisma.sql`'payment' as kind, ${PAID_AT} as at, p.amount, 0::bigint as part,
  null::bigint as "refundId", p.pg_tid as "pgTid", ${sharedColumns}`;
const refundColumns = Prisma.sql`'refund' as kind, refund.at, refund.amount, refund.part,
  coalesce(refund.id, (select r.id from refunds r where r.svc_uid = p.svc_uid and r.status = 'refunded'
    and r.amount = refund.amount and r.cancelled_before + r.amount = refund.part limit 1)) as "refundId",
  coalesce(refund.pg_tid, p.pg_tid) as "pgTid", ${sharedColumns}`;

/** With what is known about their settlement. */
const selectMovements = (movements: Prisma.Sql) => Prisma.sql`
  select movements.*, s.fee, to_char(s.paid_out_on, 'YYYY-MM-DD') as "paidOutOn"
  from (${movements}) movements
  left join settlements s on s.svc_uid = movements."svcUid" and s.part = movements.part`;

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

export type NewSettlement = { svcUid: string; part: bigint; fee: number; paidOutOn: string };

/** Stores the fee and the day of the payout. Replaces what an earlier file said about the same movement. */
export async function saveSettlements(
  { database, clock }: Context,
  settlements: readonly NewSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  const rows = settlements.map(({ svcUid, part, fee, paidOutOn }) => ({
    svc_uid: svcUid,
    part: Number(part),
    fee,
    paid_out_on: paidOutOn,
  }));
  await database.$executeRaw`
    insert into settlements (svc_uid, part, fee, paid_out_on, imported_at)
    select svc_uid, part, fee, paid_out_on, ${clock.now()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (svc_uid text, part bigint, fee bigint, paid_out_on date)
    on conflict (svc_uid, part) do update
      set fee = excluded.fee, paid_out_on = excluded.paid_out_on, imported_at = excluded.imported_at`;
}
