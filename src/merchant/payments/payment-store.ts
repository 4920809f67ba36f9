// Payments, and the orders they pay for, in the database. Every function on the way of a notification takes many at
// once and is one statement, so that a busy server can put them together.

import { Prisma } from '../../generated/prisma/client';
import type { Database } from '../database';
import type { Claim, Snapshot, Verdict } from './judge-payment';
import type { NotificationOutcome } from './notification';

export type PaymentStore = ReturnType<typeof createPaymentStore>;
export type StoredPayment = NonNullable<Awaited<ReturnType<PaymentStore['findPayment']>>>;

/** What is to become of one look at a payment. */
export type JudgedPayment = {
  claim: Claim;
  verdict: Exclude<Verdict, { outcome: 'doubtful' }>;
  /** `version` of the order that the verdict was reached on; null where there is no order. */
  version: number | null;
  fetchedAt: Date;
  now: Date;
  /** The notifications that are settled by it, and when their payment has to be looked at again. */
  notifications: { ids: readonly bigint[]; outcome: NotificationOutcome; nextCheckAt: Date | null } | null;
};

export type SnapshotRow = {
  merchant_uid: string | null;
  amount: bigint | null;
  currency: string | null;
  member_id: string | null;
  status: NonNullable<Snapshot['order']>['status'] | null;
  version: number | null;
  payments: Snapshot['payments'];
  stored_under: string | null;
};

/** Columns of a snapshot, for a query in which `claimed` has svc_uid and merchant_uid and `o` is the order or nothing. */
export const snapshotColumns = Prisma.sql`
  o.merchant_uid, o.amount, o.currency, o.member_id, o.status, o.version,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'svcUid', p.svc_uid, 'status', p.status, 'amount', p.amount, 'cancelAmount', p.cancel_amount,
      'counted', p.counted, 'record', case when p.svc_uid = claimed.svc_uid then p.record end)), '[]'::jsonb)
    from payments p where p.merchant_uid = o.merchant_uid) as payments,
  (select p.merchant_uid from payments p where p.svc_uid = claimed.svc_uid) as stored_under`;

export function toSnapshot(row: SnapshotRow): Snapshot {
  return {
    order:
      row.merchant_uid === null
        ? null
        : {
            merchantUid: row.merchant_uid,
            amount: Number(row.amount),
            currency: row.currency ?? '',
            memberId: row.member_id,
            status: row.status ?? 'open',
            version: row.version ?? 0,
          },
    payments: row.payments,
    storedUnder: row.stored_under,
  };
}

export function createPaymentStore(database: Database) {
  return {
    /** What is known about each claim, in the order asked. */
    async readSnapshots(claims: readonly Claim[]): Promise<Snapshot[]> {
      const rows = await database.$queryRaw<SnapshotRow[]>`
        select ${snapshotColumns}
        from rows from (jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as ("svcUid" text, "merchantUid" text))
          with ordinality as claimed (svc_uid, merchant_uid, position)
        left join orders o on o.merchant_uid = claimed.merchant_uid
        order by claimed.position`;
      return rows.map(toSnapshot);
    },

    /**
     * Writes verdicts. One that records a payment counts only while its order still has the version it was reached
     * on; otherwise nothing of it is written. Of several verdicts on one order in a call, the first counts.
     * @returns for each, whether it was written
     */
    async writeVerdicts(judged: readonly JudgedPayment[]): Promise<boolean[]> {
      const input = JSON.stringify(judged.map(toInput));
      const rows = await database.$queryRaw<{ written: boolean }[]>`
        with input as materialized (
          select * from jsonb_to_recordset(${input}::jsonb) as i (
            position int, merchant_uid text, svc_uid text, records boolean, version int, order_status order_status,
            now timestamptz, findings jsonb, payment jsonb, notification_ids jsonb, outcome notification_outcome,
            reason text, next_check_at timestamptz)
        ), moved as (
          update orders o set status = i.order_status, version = o.version + 1, updated_at = i.now
          from (select distinct on (merchant_uid) * from input where records order by merchant_uid, position) i
          where o.merchant_uid = i.merchant_uid and o.version = i.version
            and not exists (select from payments p where p.svc_uid = i.svc_uid and p.merchant_uid <> i.merchant_uid)
          returning i.position
        ), saved as (
          insert into payments (svc_uid, merchant_uid, status, amount, cancel_amount, currency, pay_method,
            pg_provider, pg_tid, apply_num, card_name, card_number, customer_uid, fail_reason, cancel_reason,
            receipt_url, started_at, paid_at, failed_at, cancelled_at, record, counted, fetched_at, created_at, updated_at)
          select i.svc_uid, i.merchant_uid, p.status, p.amount, p.cancel_amount, p.currency, p.pay_method,
            p.pg_provider, p.pg_tid, p.apply_num, p.card_name, p.card_number, p.customer_uid, p.fail_reason,
            p.cancel_reason, p.receipt_url, p.started_at, p.paid_at, p.failed_at, p.cancelled_at, p.record,
            p.counted, p.fetched_at, i.now, i.now
          from input i join moved using (position), jsonb_populate_record(null::payments, i.payment) p
          on conflict (svc_uid) do update set
            status = excluded.status, amount = excluded.amount, cancel_amount = excluded.cancel_amount,
            currency = excluded.currency, pay_method = excluded.pay_method, pg_provider = excluded.pg_provider,
            pg_tid = excluded.pg_tid, apply_num = excluded.apply_num, card_name = excluded.card_name,
            card_number = excluded.card_number, customer_uid = excluded.customer_uid,
            fail_reason = excluded.fail_reason, cancel_reason = excluded.cancel_reason,
            receipt_url = excluded.receipt_url, started_at = excluded.started_at, paid_at = excluded.paid_at,
            failed_at = excluded.failed_at, cancelled_at = excluded.cancelled_at, record = excluded.record,
            counted = excluded.counted, fetched_at = excluded.fetched_at, updated_at = excluded.updated_at
        ), found as (
          insert into discrepancies (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at)
          select distinct on (f.kind, i.svc_uid, i.merchant_uid)
            f.kind::discrepancy_kind, i.svc_uid, i.merchant_uid, f.expected, f.actual, i.now, i.now
          from input i, jsonb_to_recordset(i.findings) as f (kind text, expected text, actual text)
          where not i.records or i.position in (select position from moved)
          on conflict (kind, svc_uid, merchant_uid) do update set
            times_seen = discrepancies.times_seen + 1, last_seen_at = excluded.last_seen_at,
            expected = excluded.expected, actual = excluded.actual, resolved_at = null
        ), marked as (
          update notifications n set outcome = i.outcome, reason = i.reason, judged_at = i.now,
            next_check_at = i.next_check_at, checks = n.checks + 1
          from input i, jsonb_array_elements_text(i.notification_ids) as ids (id)
          where n.id = ids.id::bigint and (not i.records or i.position in (select position from moved))
        )
        select not i.records or i.position in (select position from moved) as written
        from input i order by i.position`;
      return rows.map((row) => row.written);
    },

    /** The member who owns a billing key; null where we know no such key. */
    async findKeyOwner(customerUid: string): Promise<string | null> {
      const key = await database.billingKey.findUnique({
        where: { customerUid },
        select: { memberId: true },
      });
      return key?.memberId ?? null;
    },

    /** What did not fit and fits by now is settled. */
    async settleUnknown({ svcUid, merchantUid }: Claim, now: Date): Promise<void> {
      await database.discrepancy.updateMany({
        where: { svcUid, merchantUid, kind: { in: ['unknown_order', 'unknown_payment'] }, resolvedAt: null },
        data: { resolvedAt: now },
      });
    },

    async findPayment(svcUid: string) {
      return database.payment.findUnique({ where: { svcUid } });
    },
  };
}

function toInput(judged: JudgedPayment, position: number) {
  const { claim, verdict, version, fetchedAt, now, notifications } = judged;
  const records = verdict.outcome === 'recorded';
  return {
    position,
    merchant_uid: claim.merchantUid,
    svc_uid: records ? verdict.payment.record.svcUid : claim.svcUid,
    records,
    version,
    now,
    findings: verdict.findings,
    notification_ids: (notifications?.ids ?? []).map(String),
    outcome: notifications?.outcome,
    reason: verdict.outcome === 'queued' ? verdict.reason : null,
    next_check_at: notifications?.nextCheckAt,
    ...(records ? { order_status: verdict.orderStatus, payment: toColumns(verdict.payment, fetchedAt) } : {}),
  };
}

function toColumns({ record, status, currency, counted }: RecordedPayment, fetchedAt: Date) {
  return {
    status,
    amount: record.amount,
    cancel_amount: record.cancelAmount,
    currency,
    // Descriptive columns are cut to their width; the whole text stands in `record`.
    pay_method: record.payMethod?.slice(0, 32),
    pg_provider: record.pgProvider?.slice(0, 32),
    pg_tid: record.pgTid?.slice(0, 64),
    apply_num: record.applyNum?.slice(0, 20),
    card_name: record.cardName?.slice(0, 64),
    card_number: record.cardNumber?.slice(0, 32),
    customer_uid: record.customerUid?.slice(0, 80),
    fail_reason: record.failReason?.slice(0, 500),
    cancel_reason: record.cancelReason?.slice(0, 256),
    receipt_url: record.receiptUrl?.slice(0, 500),
    started_at: record.startedAt,
    paid_at: record.paidAt,
    failed_at: record.failedAt,
    cancelled_at: record.cancelledAt,
    record: record.raw,
    counted,
    fetched_at: fetchedAt,
  };
}

type RecordedPayment = Extract<Verdict, { outcome: 'recorded' }>['payment'];
