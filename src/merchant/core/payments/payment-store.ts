// What is stored of payments: one payment, and the snapshot: what the database knows about a claim before the service is
// asked, with which the judgement compares the fetched record. `verdict-store.ts` writes payments.

import { Prisma, type OrderStatus, type Payment } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { JsonObject } from '../../payment-service/records/raw-record';
import { createBatcher } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { refundStatuses } from '../attempts/attempt-statuses';
import { pausesAsJson, type PauseRow } from '../attempts/attempt-store';
import { isOpenDoubt } from './discrepancy-kinds';
import type { Claim } from './fetch-payment';
import type { CountedPayment } from './order-status';

export type StoredPayment = Payment;

/** Returns null where there is none. */
export async function findPayment({ database }: Context, svcUid: string): Promise<StoredPayment | null> {
  return database.payment.findUnique({ where: { svcUid } });
}

/** The service shows less than is stored. The first time counts, until the payment is written again. */
export async function markWentBack({ database, clock }: Context, svcUid: string): Promise<void> {
  await database.payment.updateMany({
    where: { svcUid, wentBackAt: null },
    data: { wentBackAt: clock.now() },
  });
}

/**
 * Our refund that has caused the change of a payment: the one that is open (a payment has one at most), if it explains the
 * change to the unit. The outcome of a refund is decided by the same amounts. Null where nothing of ours does, such as for
 * a refund that was made at the service's console, or together with one.
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
    /** Moves on with every write to the order or one of its payments. */
    version: number;
    /** Whether its member was erased: nothing personal of a payment is stored any more. */
    isErased: boolean;
  } | null;
  /** All payments of that order, with their records as they are stored. */
  payments: (CountedPayment & {
    svcUid: string;
    record: JsonObject;
    /** ISO 8601: since when the service has shown less than is stored; null while it does not. */
    wentBackAt: string | null;
  })[];
  /** The order under which this svc_uid is stored, or null. */
  storedUnder: string | null;
  /** Whether an `unknown_order`, `unknown_payment` or `needs_review` of this claim is open: a payment that fits settles it. */
  hasOpenDoubt: boolean;
  /** Pauses that the service has asked for, of this process or another one. */
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
  has_open_doubt: boolean;
  pauses: PauseRow[] | null;
};

const reading = createBatcher(readSnapshots);

/**
 * What is known about a claim now. A pause that another process was asked for comes with it, so that no fetch follows.
 * @throws DatabaseError
 */
export function readSnapshot(context: Context, claim: Claim): Promise<Snapshot> {
  return reading.add(context, claim);
}

async function readSnapshots({ database, clock }: Context, claims: readonly Claim[]): Promise<Snapshot[]> {
  const input = claims.map(({ svcUid, merchantUid }, position) => ({
    position,
    svc_uid: svcUid,
    merchant_uid: merchantUid,
  }));
  const rows = await database.$queryRaw<SnapshotRow[]>`/* read-snapshots */
    select ${snapshotOf(clock.now())}
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as claimed (position int, svc_uid text, merchant_uid text)
    ${WITH_ORDER}
    order by claimed.position`;
  return rows.map(toSnapshot);
}

/** The columns of a snapshot of `claimed`, which has svc_uid and merchant_uid, and of its order `o`. */
export const snapshotOf = (now: Date) => Prisma.sql`
  o.merchant_uid, o.amount, o.currency, o.member_id, o.status, o.version, o.erased_at is not null as is_erased,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'svcUid', p.svc_uid, 'status', p.status, 'amount', p.amount, 'cancelAmount', p.cancel_amount,
      'counted', p.counted, 'record', p.record, 'wentBackAt', p.went_back_at)), '[]'::jsonb)
    from payments p where p.merchant_uid = o.merchant_uid) as payments,
  (select p.merchant_uid from payments p where p.svc_uid = claimed.svc_uid) as stored_under,
  (select count(*) from discrepancies d
    where d.svc_uid = claimed.svc_uid and d.merchant_uid = claimed.merchant_uid and ${isOpenDoubt}) > 0 as has_open_doubt,
  (${pausesAsJson(now)}) as pauses`;

/** Each order is found by its key: without the limit, PostgreSQL may join all orders with a few claims. */
export const WITH_ORDER = Prisma.sql`
  left join lateral (select * from orders where orders.merchant_uid = claimed.merchant_uid limit 1) o on true`;

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
    hasOpenDoubt: row.has_open_doubt,
    pauses: row.pauses ?? [],
  };
}
