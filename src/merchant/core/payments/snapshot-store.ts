// What the database knows about a claim before the service is asked: the order, its payments, and under which order the
// payment is stored. The judgement compares the fetched record with it.

import type { OrderStatus } from '../../../generated/prisma/client';
import type { JsonObject } from '../../payment-service/records/raw-record';
import { batched } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { pausesAsJson, type PauseRow } from '../attempts/service-pause-store';
import type { Claim } from './claim';
import type { CountedPayment } from './order-status';

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
  /** `pg` reads a bigint as text. */
  amount: string | null;
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

/** Calls that come at the same time are one statement. */
export const readSnapshot = batched<Claim, Snapshot>(readSnapshots);

/**
 * What is known about each claim, in the order of the claims. A pause that another process was asked for comes with it, so
 * that no fetch follows.
 */
async function readSnapshots({ database, clock }: Context, claims: readonly Claim[]): Promise<Snapshot[]> {
  const input = JSON.stringify(claims.map(({ svcUid, merchantUid }) => ({ svcUid, merchantUid })));
  const rows = await database.$prepared<SnapshotRow>(READ, [input, clock.now()]);
  return rows.map(toSnapshot);
}

/**
 * The columns of a snapshot and where they come from: with each row of `claims`, which has svc_uid and merchant_uid and is
 * called `claimed`.
 * @param now a placeholder such as `$2`
 */
export const snapshotOf = (claims: string, now: string) => `
  o.merchant_uid, o.amount, o.currency, o.member_id, o.status, o.version, o.erased_at is not null as is_erased,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'svcUid', p.svc_uid, 'status', p.status, 'amount', p.amount, 'cancelAmount', p.cancel_amount,
      'counted', p.counted, 'record', p.record, 'wentBackAt', p.went_back_at)), '[]'::jsonb)
    from payments p where p.merchant_uid = o.merchant_uid) as payments,
  (select p.merchant_uid from payments p where p.svc_uid = claimed.svc_uid) as stored_under,
  (select count(*) from discrepancies d
    where d.kind in ('unknown_order', 'unknown_payment', 'needs_review') and d.svc_uid = claimed.svc_uid
      and d.merchant_uid = claimed.merchant_uid and d.resolved_at is null) > 0 as has_open_doubt,
  (${pausesAsJson(now)}) as pauses
  from ${claims} claimed left join orders o on o.merchant_uid = claimed.merchant_uid`;

const READ = {
  name: 'read-snapshots',
  text: `
    with claims as materialized (
      select * from rows from (jsonb_to_recordset($1::jsonb) as ("svcUid" text, "merchantUid" text))
        with ordinality as c (svc_uid, merchant_uid, position)
    )
    select ${snapshotOf('claims', '$2')} order by claimed.position`,
};

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
