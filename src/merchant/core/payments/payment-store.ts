// Reads stored payments, and the snapshot: what the database knows about a payment and its order before the service is
// asked. Verification compares the fetched record with it. `verdict-store.ts` writes payments.

import { Prisma, type OrderStatus, type Payment } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { JsonObject } from '../../payment-service/records/raw-record';
import { runTogether } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { refundStatuses } from '../attempts/attempt-statuses';
import { pausesAsJson, type PauseRow } from '../attempts/service-pause-store';
import { isOpenUntilMatch } from '../discrepancies/kinds';
import type { ReportedIds } from './fetch-payment';
import type { CountedPayment } from './order-status';

export type StoredPayment = Payment;

/** Returns null if there is none. */
export async function findPayment({ database }: Context, svcUid: string): Promise<StoredPayment | null> {
  return database.payment.findUnique({ where: { svcUid } });
}

/**
 * Marks that the service shows an earlier state than is stored. The first time is kept until the payment is written
 * again.
 */
export async function markRegressed({ database, realClock }: Context, svcUid: string): Promise<void> {
  await database.payment.updateMany({
    where: { svcUid, regressedAt: null },
    data: { regressedAt: realClock.now() },
  });
}

/**
 * Our refund that caused the change of a payment: the open one (a payment has at most one), if it explains the change
 * exactly. The outcome of a refund is decided by the same amounts. Null if none of ours does, such as for a refund at
 * the service's console.
 * @param refundedMore how much more is refunded than before
 */
export async function findRefundBehind(
  { database }: Context,
  { svcUid, cancelAmount }: Pick<PaymentRecord, 'svcUid' | 'cancelAmount'>,
  refundedMore: number,
): Promise<bigint | null> {
  if (refundedMore <= 0) return null;
  const refund = await database.refund.findFirst({
    where: {
      svcUid,
      status: { in: refundStatuses.open.list },
      amount: refundedMore,
      cancelledBefore: cancelAmount - refundedMore,
    },
    select: { id: true },
  });
  return refund?.id ?? null;
}

export type Snapshot = {
  order: {
    merchantUid: string;
    amount: number;
    currency: string;
    memberId: string | null;
    status: OrderStatus;
    /** Increases with every write to the order or one of its payments. */
    version: number;
    /** Whether its member was erased. Personal data of its payments is then no longer stored. */
    isErased: boolean;
  } | null;
  /** All payments of that order, with their stored records. */
  payments: (CountedPayment & {
    svcUid: string;
    record: JsonObject;
    /** ISO 8601: since when the service has shown an earlier state than is stored; null if it does not. */
    regressedAt: string | null;
  })[];
  /** The order under which this svc_uid is stored; null if it is not stored. */
  storedUnder: string | null;
  /**
   * Whether an `unknown_order`, `unknown_payment` or `needs_review` is open for this payment and order. A payment that
   * fits resolves it.
   */
  hasOpenUntilMatch: boolean;
  /** Pauses that the service asked this process or another one for. */
  pauses: PauseRow[];
};

/** A row of `snapshotOf`. */
export type SnapshotRow = {
  merchant_uid: string | null;
  amount: bigint | null;
  currency: string | null;
  member_id: string | null;
  status: OrderStatus | null;
  version: number | null;
  is_erased: boolean;
  payments: Snapshot['payments'];
  stored_under: string | null;
  has_open_until_match: boolean;
  pauses: PauseRow[] | null;
};

/**
 * What is known about a payment and its order now. It includes pauses that other processes were asked for, so that no
 * fetch follows.
 * @throws DatabaseError
 */
export function readSnapshot(context: Context, reported: ReportedIds): Promise<Snapshot> {
  return runTogether(context, readSnapshots, reported);
}

async function readSnapshots(
  { database, realClock }: Context,
  reported: readonly ReportedIds[],
): Promise<Snapshot[]> {
  const input = reported.map(({ svcUid, merchantUid }, position) => ({
    position,
    svc_uid: svcUid,
    merchant_uid: merchantUid,
  }));
  const rows = await database.$queryRaw<SnapshotRow[]>`/* read-snapshots */
    select ${snapshotOf(realClock.now())}
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as reported (position int, svc_uid text, merchant_uid text)
    ${WITH_ORDER}
    order by reported.position`;
  return rows.map(toSnapshot);
}

/** The columns of a snapshot. `reported` must have svc_uid and merchant_uid, and `o` is its order. */
export const snapshotOf = (now: Date) => Prisma.sql`
  o.merchant_uid, o.amount, o.currency, o.member_id, o.status, o.version, o.erased_at is not null as is_erased,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'svcUid', p.svc_uid, 'status', p.status, 'amount', p.amount, 'cancelAmount', p.cancel_amount,
      'counted', p.counted, 'record', p.record, 'regressedAt', p.regressed_at)), '[]'::jsonb)
    from payments p where p.merchant_uid = o.merchant_uid) as payments,
  (select p.merchant_uid from payments p where p.svc_uid = reported.svc_uid) as stored_under,
  (select count(*) from discrepancies d
    where d.svc_uid = reported.svc_uid and d.merchant_uid = reported.merchant_uid and ${isOpenUntilMatch}) > 0 as has_open_until_match,
  (${pausesAsJson(now)}) as pauses`;

/** Finds each order by its key. Without the limit, PostgreSQL may join all orders with a few reported ids. */
export const WITH_ORDER = Prisma.sql`
  left join lateral (select * from orders where orders.merchant_uid = reported.merchant_uid limit 1) o on true`;

export function toSnapshot(row: SnapshotRow): Snapshot {
  const { merchant_uid: merchantUid, currency, status, version } = row;
  const isThere = merchantUid !== null && currency !== null && status !== null && version !== null;
  return {
    order: isThere
      ? {
          merchantUid,
          amount: Number(row.amount),
          currency,
          memberId: row.member_id,
          status,
          version,
          isErased: row.is_erased,
        }
      : null,
    payments: row.payments,
    storedUnder: row.stored_under,
    hasOpenUntilMatch: row.has_open_until_match,
    pauses: row.pauses ?? [],
  };
}
