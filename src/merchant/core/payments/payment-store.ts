// Payments and the orders they pay for, in the database. A verdict is written as one statement, and calls that come at
// the same time share it.

import type { Payment } from '../../../generated/prisma/client';
import { batched } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { refundOf, subscriptionOf, versionBefore } from '../events/event-sql';
import { toldAgain } from '../events/event-store';
import type { Claim } from './claim';
import { seenAgain } from './discrepancy-store';
import type { Verdict } from './judge-payment';
import { columnNames, columnsFromExcluded, columnsOfP, toColumns } from './payment-columns';
import { SETTLE_FROM, settlementRows, toSettlementRows, type Settlement } from './settlement';
import type { Snapshot } from './snapshot-store';

export type StoredPayment = Payment;

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

/** What is to be written of one sync. */
export type JudgedPayment = {
  claim: Claim;
  verdict: Exclude<Verdict, { outcome: 'needs_confirmation' }>;
  /** The order as it was when the verdict was reached; null where there is none. */
  order: Pick<NonNullable<Snapshot['order']>, 'status' | 'version'> | null;
  fetchedAt: Date;
  now: Date;
  /** What is written of the notifications that the sync is for; null where there are none. */
  settlement: Settlement | null;
};

export type WriteResult =
  | 'written'
  /** The order has moved on since it was read: the verdict is no longer about it. */
  | 'overtaken'
  /** Somebody else holds the lock on the order. */
  | 'locked';

/** See `writeVerdicts`. */
export const writeVerdict = batched<JudgedPayment, WriteResult>(writeVerdicts);

/**
 * Writes verdicts: the payment and the status of its order, the event where the status or the refunded amount changes, the
 * discrepancies, and what a fitting payment settles. One that records a payment counts only while its
 * order still has the version it was reached on; otherwise nothing of it is written. Of several verdicts on one order in a
 * call, the first counts. The statement waits for no lock on an order, because all the others in it would wait as
 * well.
 */
async function writeVerdicts(
  { database }: Context,
  judged: readonly JudgedPayment[],
): Promise<WriteResult[]> {
  const input = judged.map(toInput);
  const payments = judged.map(toPayment);
  const settlements = judged.flatMap(({ settlement }, position) =>
    settlement ? toSettlementRows(settlement).map((row) => ({ position, ...row })) : [],
  );
  const values = [input, payments, settlements].map((each) => JSON.stringify(each));
  const rows = await database.$prepared<{ result: WriteResult }>(WRITE, values);
  return rows.map(({ result }) => result);
}

const WRITE = {
  name: 'write-verdicts',
  text: `
    with input as materialized (
      select * from jsonb_to_recordset($1::jsonb) as i (
        position int, merchant_uid text, svc_uid text, claimed_svc_uid text, records boolean, fits boolean,
        version int, previous_status order_status, order_status order_status, event text, cancel_amount bigint,
        refunded_before bigint, refunded bigint, now timestamptz, discrepancies jsonb)
    ), free as materialized (
      -- The lock that the update takes: a row that refers to the order does not stand in its way.
      select i.* from (
        select distinct on (merchant_uid) * from input where records order by merchant_uid, position) i
      join orders o on o.merchant_uid = i.merchant_uid and o.version = i.version
      for no key update of o skip locked
    ), moved as (
      update orders o set status = i.order_status, version = ${versionBefore('o')} + 1, updated_at = i.now
      from free i
      where o.merchant_uid = i.merchant_uid and o.version = i.version
        and not exists (select from payments p where p.svc_uid = i.svc_uid and p.merchant_uid <> i.merchant_uid)
      returning i.*, o.version as new_version, o.amount, o.currency, o.member_id
    ), told as (
      insert into events (stream, version, type, data, occurred_at)
      select m.merchant_uid, m.new_version, m.event, jsonb_build_object(
          'merchant_uid', m.merchant_uid, 'status', m.order_status, 'previous_status', m.previous_status,
          'version', m.new_version, 'amount', m.amount, 'currency', m.currency,
          'member_id', m.member_id, 'svc_uid', m.svc_uid, 'refunded_amount', m.refunded,
          'refund', case when m.refunded > m.refunded_before then jsonb_build_object(
            'amount', m.refunded - m.refunded_before, 'total', m.refunded, 'refund_id', ${refundOf('m')}) end,
          'subscription_id', ${subscriptionOf('m')}), m.now
      from moved m where m.event is not null
      ${toldAgain.sql}
    ), written as (
      select * from input where not records or position in (select position from moved)
    ), saved as (
      insert into payments (svc_uid, merchant_uid, created_at, updated_at, ${columnNames.sql})
      select i.svc_uid, i.merchant_uid, i.now, i.now, ${columnsOfP.sql}
      from moved i
      join rows from (jsonb_populate_recordset(null::payments, $2::jsonb)) with ordinality p
        on p.ordinality = i.position + 1
      on conflict (svc_uid) do update set updated_at = excluded.updated_at, ${columnsFromExcluded.sql}
    ), noted as (
      insert into discrepancies (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at)
      select distinct on (d.kind, i.svc_uid, i.merchant_uid)
        d.kind::discrepancy_kind, i.svc_uid, i.merchant_uid, d.expected, d.actual, i.now, i.now
      from written i, jsonb_to_recordset(i.discrepancies) as d (kind text, expected text, actual text)
      on conflict (kind, svc_uid, merchant_uid) do update set ${seenAgain.sql}
    ), doubts as materialized (
      -- One after the other by the index, also where the plan was made while there were no discrepancies.
      select d.id, i.now from written i cross join lateral (
        select d.id from discrepancies d
        where d.svc_uid = i.claimed_svc_uid and d.merchant_uid = i.merchant_uid
          and d.kind in ('unknown_order', 'unknown_payment', 'needs_review') and d.resolved_at is null
        offset 0) d
      where i.fits
        -- A row that is noted above cannot be changed twice by one statement.
        and not exists (select from written n
          where not n.fits and n.claimed_svc_uid = i.claimed_svc_uid and n.merchant_uid = i.merchant_uid)
    ), settled as (
      update discrepancies d set resolved_at = (select max(i.now) from doubts i where i.id = d.id)
      where d.id = any(array(select id from doubts))
    ), seen as materialized (
      -- One that somebody else has locked stays open, and is found again.
      select s.* from ${settlementRows('$3')} join notifications n using (id)
      where s.position in (select position from written) for no key update of n skip locked
    ), checked as (
      ${SETTLE_FROM} seen s where n.id = s.id
    )
    select case
        when i.position in (select position from written) then 'written'
        when i.merchant_uid not in (select merchant_uid from free)
          and (select o.version from orders o where o.merchant_uid = i.merchant_uid) = i.version then 'locked'
        else 'overtaken'
      end as result
    from input i order by i.position`,
};

function toInput({ claim, verdict, order, now }: JudgedPayment, position: number) {
  const records = verdict.outcome === 'recorded';
  return {
    position,
    merchant_uid: claim.merchantUid,
    svc_uid: records ? verdict.payment.record.svcUid : claim.svcUid,
    claimed_svc_uid: claim.svcUid,
    records,
    fits: records || verdict.outcome === 'unchanged',
    version: order?.version ?? null,
    previous_status: order?.status ?? null,
    now,
    discrepancies: verdict.discrepancies,
    ...(records && {
      order_status: verdict.orderStatus,
      event: verdict.event,
      cancel_amount: verdict.payment.record.cancelAmount,
      refunded_before: verdict.refunded.before,
      refunded: verdict.refunded.now,
    }),
  };
}

/** The columns of the payment at the place of its verdict; none where none is recorded. */
function toPayment({ verdict, fetchedAt }: JudgedPayment) {
  return verdict.outcome === 'recorded' ? toColumns(verdict.payment, fetchedAt) : {};
}
