// The only place that writes verdicts. Concurrent verdicts share one transaction. No transaction is open during a
// fetch, so each verdict carries the version of its order and is written only if the order still has that version.

import { Prisma } from '../../../generated/prisma/client';
import { runTogether } from '../../platform/batch';
import type { Context } from '../../platform/context';
import type { Statements } from '../../platform/database-transaction';
import type { OrderEvent } from '../../shop/event';
import { markToRevoke, revokeSoon } from '../attempts/schedules-to-revoke';
import { isOpenUntilMatch } from '../discrepancies/kinds';
import { resolveMatched, upsertDiscrepancies, type NewDiscrepancy } from '../discrepancies/store';
import { insertEvents, nextVersion, subscriptionOfOrder, type NewEvent } from '../events/save-events';
import type { ReportedIds } from './fetch-payment';
import type { Verdict } from './judge-payment';
import { finishedOrders } from './order-status';
import type { Snapshot } from './payment-store';
import { columnNames, columnsFromExcluded, toColumns } from './row';

/** What to write after one sync. */
export type JudgedPayment = {
  reported: ReportedIds;
  verdict: Exclude<Verdict, { outcome: 'needs_confirmation' }>;
  /** The order at the time of the verdict; null if there is none. */
  order: Snapshot['order'];
  fetchedAt: Date;
  /** Our refund that explains the newly refunded amount; null if none does. */
  refundId: bigint | null;
};

/** `overtaken`: the order has changed since it was read, or is being changed, so the verdict no longer applies. */
export type WriteResult = 'written' | 'overtaken';

/**
 * Writes a verdict and all its consequences, or nothing: the status of the order, the payment, the event, the
 * discrepancies, and which schedules are to be revoked. A verdict that records nothing needs no order and is always
 * written.
 * @throws DatabaseError
 */
export function writeVerdict(context: Context, judged: JudgedPayment): Promise<WriteResult> {
  return runTogether(context, writeVerdicts, judged);
}

async function writeVerdicts(context: Context, judged: readonly JudgedPayment[]): Promise<WriteResult[]> {
  const now = context.clock.now();
  const { updated, toRevoke } = await context.database.$statements(async (run, commitWith) => {
    const recording = firstOfEachOrder(judged.filter(isRecorded));
    const updated = await updateOrderStatus(context, run, recording, now);
    const recorded = recording.filter((each) => updated.has(each));
    const written = judged.filter((each) => !isRecorded(each) || updated.has(each));
    const events = recorded.flatMap((each) => toEvent(each, updated.get(each) as UpdatedOrder, now));
    const matched = written.filter((each) => resolvesOpen(each, updated)).map(({ reported }) => reported);
    const [toRevoke = []] = await commitWith(
      savePayments(recorded, now, context.realClock.now()),
      insertEvents(events),
      resolveMatched(matched, now),
      upsertDiscrepancies(written.flatMap(toDiscrepancies), now),
    );
    return { updated, toRevoke };
  });
  if (toRevoke.length > 0) revokeSoon(context);
  return judged.map((each) => (!isRecorded(each) || updated.has(each) ? 'written' : 'overtaken'));
}

type RecordedPayment = JudgedPayment & {
  verdict: Extract<Verdict, { outcome: 'recorded' }>;
  order: NonNullable<JudgedPayment['order']>;
};

function isRecorded(judged: JudgedPayment): judged is RecordedPayment {
  return judged.verdict.outcome === 'recorded';
}

/** An unchanged payment is written only to resolve discrepancies. */
function resolvesOpen(judged: JudgedPayment, updated: ReadonlyMap<JudgedPayment, UpdatedOrder>): boolean {
  return judged.verdict.outcome === 'unchanged' || updated.get(judged)?.has_open_until_match === true;
}

/** Only the first verdict on an order can be written: it changes the version that the others rely on. */
function firstOfEachOrder(recording: readonly RecordedPayment[]): RecordedPayment[] {
  const first = new Map<string, RecordedPayment>();
  for (const each of recording)
    if (!first.has(each.reported.merchantUid)) first.set(each.reported.merchantUid, each);
  return [...first.values()];
}

type UpdatedOrder = {
  merchant_uid: string;
  version: number;
  amount: bigint;
  currency: string;
  member_id: string | null;
  subscription_id: string | null;
  /** Whether a payment that matches resolves a discrepancy of this order. */
  has_open_until_match: boolean;
};

/**
 * Sets the new status and version of orders. This takes the only lock that other transactions may hold. A locked row is
 * skipped, because waiting would delay all other verdicts of the batch: its payment is fetched again.
 */
async function updateOrderStatus(
  context: Context,
  run: Statements,
  recording: readonly RecordedPayment[],
  now: Date,
): Promise<Map<JudgedPayment, UpdatedOrder>> {
  if (recording.length === 0) return new Map();
  const changes = recording.map(({ reported, verdict, order }) => ({
    merchant_uid: reported.merchantUid,
    svc_uid: verdict.payment.record.svcUid,
    version: order.version,
    status: verdict.orderStatus,
  }));
  const rows = await run.$queryRaw<UpdatedOrder[]>`/* update-order-status */
    with free as (
      select o.merchant_uid, m.svc_uid, m.version, m.status
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as m (merchant_uid text, svc_uid text, version int, status order_status)
      join orders o on o.merchant_uid = m.merchant_uid and o.version = m.version
      where not exists (select from payments p where p.svc_uid = m.svc_uid and p.merchant_uid <> m.merchant_uid)
      for no key update of o skip locked
    )
    update orders o set status = free.status, version = ${nextVersion('o')}, updated_at = ${now}::timestamptz
    from free where o.merchant_uid = free.merchant_uid and o.version = free.version
    returning o.merchant_uid, o.version, o.amount, o.currency, o.member_id,
      ${subscriptionOfOrder(context)} as subscription_id,
      exists (select from discrepancies d where ${isOpenUntilMatch} and d.merchant_uid = o.merchant_uid) as has_open_until_match`;
  const byOrder = new Map(recording.map((each) => [each.reported.merchantUid, each]));
  return new Map(rows.map((row) => [byOrder.get(row.merchant_uid) as JudgedPayment, row]));
}

/**
 * The statement that saves the payments, and marks the schedules of orders that are finished by them. It returns the
 * schedules that are to be revoked. The orders are locked, so no charge is written for them meanwhile.
 */
function savePayments(recorded: readonly RecordedPayment[], now: Date, realNow: Date): Prisma.Sql | null {
  if (recorded.length === 0) return null;
  const rows = recorded.map(({ reported, verdict, fetchedAt }) => ({
    svc_uid: verdict.payment.record.svcUid,
    merchant_uid: reported.merchantUid,
    created_at: now,
    updated_at: now,
    ...toColumns(verdict.payment, fetchedAt),
  }));
  return Prisma.sql`/* save-payments */
    with saved as (
    insert into payments (svc_uid, merchant_uid, created_at, updated_at, ${columnNames})
    select svc_uid, merchant_uid, created_at, updated_at, ${columnNames}
    from jsonb_populate_recordset(null::payments, ${JSON.stringify(rows)}::jsonb)
    on conflict (svc_uid) do update set updated_at = excluded.updated_at, ${columnsFromExcluded}
    )
    ${markToRevoke(recorded.flatMap(toFinished), realNow)}`;
}

function toFinished({ reported, verdict }: RecordedPayment) {
  if (!finishedOrders.has(verdict.orderStatus)) return [];
  const customData = verdict.payment.record.raw['custom_data'];
  return [
    { merchant_uid: reported.merchantUid, custom_data: typeof customData === 'string' ? customData : '' },
  ];
}

/** Empty if there is no event for the shop. */
function toEvent(
  { reported, verdict, order, refundId }: RecordedPayment,
  updated: UpdatedOrder,
  now: Date,
): NewEvent<OrderEvent>[] {
  const { event, orderStatus, refunded, payment } = verdict;
  if (event === null) return [];
  const refund = {
    amount: refunded.now - refunded.before,
    total: refunded.now,
    refund_id: refundId === null ? null : String(refundId),
  };
  return [
    {
      stream: reported.merchantUid,
      version: updated.version,
      type: event,
      occurredAt: now,
      data: {
        merchant_uid: reported.merchantUid,
        status: orderStatus,
        previous_status: order.status,
        version: updated.version,
        amount: Number(updated.amount),
        currency: updated.currency,
        member_id: updated.member_id,
        svc_uid: payment.record.svcUid,
        refunded_amount: refunded.now,
        refund: refund.amount > 0 ? refund : null,
        subscription_id: updated.subscription_id,
      },
    },
  ];
}

/** Discrepancies of a payment that fits carry the svc_uid of its record. */
export function toDiscrepancies({
  reported,
  verdict,
}: Pick<JudgedPayment, 'reported' | 'verdict'>): NewDiscrepancy[] {
  const { svcUid } = verdict.outcome === 'recorded' ? verdict.payment.record : reported;
  return verdict.discrepancies.map((each) => ({ svcUid, merchantUid: reported.merchantUid, ...each }));
}
