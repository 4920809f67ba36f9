// Stores the positions of reconciliation and the differences it could not repair. The comparison of a page with our
// rows is also here, because it is one statement.

import type { ReconciledList } from '../../../generated/prisma/client';
import type { Context, GaugeColumns } from '../../platform/context';
import type { ReportedIds } from '../payments/fetch-payment';
import type { ListedPayment } from './listed-payments';
import type { Unresolved } from './reconciliation-report';
import type { Position } from './windows';

/** A payment that the service lists differently from the stored one, and the result of the latest attempt to repair it. */
export type Difference = ReportedIds & {
  /** The listed values, as text. */
  listed: string;
  /** `version` of the order at the time of the comparison; null if there is no order. */
  orderVersion: number | null;
  /** Null if there was no attempt, as are the next three. */
  outcome: Unresolved['outcome'] | null;
  reason: string | null;
  attempts: number | null;
  firstSeenAt: Date | null;
  /** The list and the order have not changed since then, so another sync would have the same result. */
  unchanged: boolean | null;
};

/** Returns null before the first reconciliation of a list. */
export function findPosition(context: Context, list: ReconciledList): Promise<Position | null> {
  return context.database.reconciliationPosition.findUnique({
    where: { list },
    select: { comparedTo: true, lookedBackAt: true },
  });
}

export async function savePosition(
  context: Context,
  list: ReconciledList,
  position: Position,
): Promise<void> {
  await context.database.reconciliationPosition.upsert({
    where: { list },
    create: { list, ...position },
    update: position,
  });
}

/** Records the end of a run, by the host's clock. Only people use this row. */
export async function saveRun(context: Context, { isComplete }: { isComplete: boolean }): Promise<void> {
  const finishedAt = context.clock.now();
  const run = { finishedAt, ...(isComplete && { completeAt: finishedAt }) };
  await context.database.reconciliationRun.upsert({ where: { id: 1 }, create: run, update: run });
}

/** By the host's clock. Returns null if there is no order. */
export async function findFirstOrderTime({ database }: Context): Promise<Date | null> {
  const rows = await database.$queryRaw<{ first: Date | null }[]>`
    select min(created_at) as first from orders`;
  return rows[0]?.first ?? null;
}

/**
 * The payments of a page that differ from the stored ones, in one statement. It compares what decides the state of an
 * order, and skips values that the list does not give (null).
 */
export async function findDifferences(
  context: Context,
  listed: readonly ListedPayment[],
): Promise<Difference[]> {
  // Orders and earlier differences are looked up only for payments that differ.
  return context.database.$queryRaw<Difference[]>`/* compare-listed-payments */
    select l.svc_uid as "svcUid", l.merchant_uid as "merchantUid", said.listed, o.version as "orderVersion",
      d.outcome, d.reason, d.attempts, d.first_seen_at as "firstSeenAt",
      d.listed = said.listed and d.order_version is not distinct from o.version as unchanged
    from rows from (jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as ("svcUid" text, "merchantUid" text,
      "status" text, "amount" bigint, "cancelAmount" bigint, "currency" text))
      as l (svc_uid, merchant_uid, status, amount, cancel_amount, currency)
    cross join lateral (
      select concat_ws(' ', l.merchant_uid, l.status, l.amount, l.cancel_amount, l.currency) as listed) said
    left join payments p on p.svc_uid = l.svc_uid
    left join orders o on o.merchant_uid = l.merchant_uid
    left join reconciliation_differences d on d.svc_uid = l.svc_uid
    where (p.svc_uid is null or p.merchant_uid <> l.merchant_uid or p.status::text <> l.status
        or p.amount <> l.amount or p.cancel_amount <> l.cancel_amount or p.currency <> l.currency)
      -- As judge-payment.ts: over another amount than the order's, and nothing is paid, it is not stored.
      and not (p.svc_uid is null and l.status in ('ready', 'failed') and l.cancel_amount = 0
        and coalesce(l.amount <> o.amount or l.currency <> o.currency, false))`;
}

/** Differences of earlier reconciliations that are due for another attempt, or whose order has changed since. */
export async function findDueDifferences(context: Context, now: Date): Promise<Difference[]> {
  return context.database.$queryRaw<Difference[]>`
    select d.svc_uid as "svcUid", d.merchant_uid as "merchantUid", d.listed, o.version as "orderVersion",
      d.outcome, d.reason, d.attempts, d.first_seen_at as "firstSeenAt", false as unchanged
    from reconciliation_differences d left join orders o on o.merchant_uid = d.merchant_uid
    where d.next_attempt_at <= ${now} or o.version is distinct from d.order_version
    order by d.first_seen_at
    limit 10000`;
}

/** @param failed `nextAttemptAt`: null if the list or the order must change before another attempt */
export async function saveDifference(
  context: Context,
  difference: Difference,
  failed: Pick<Unresolved, 'outcome' | 'reason'> & {
    attempts: number;
    firstSeenAt: Date;
    nextAttemptAt: Date | null;
  },
): Promise<void> {
  const { svcUid, merchantUid, listed, orderVersion } = difference;
  const row = { merchantUid, listed, orderVersion, ...failed };
  await context.database.reconciliationDifference.upsert({
    where: { svcUid },
    create: { svcUid, ...row },
    update: row,
  });
}

/** Does nothing if no difference is stored. */
export async function deleteDifference(context: Context, svcUid: string): Promise<void> {
  await context.database.reconciliationDifference.deleteMany({ where: { svcUid } });
}

export function readReconciliationGauges({ database }: Context) {
  return database.$queryRaw<GaugeColumns[]>`
    select coalesce((select extract(epoch from finished_at) from reconciliation_runs), 0)::float8
        as merchant_reconciliation_last_finished_timestamp_seconds,
      coalesce((select extract(epoch from complete_at) from reconciliation_runs), 0)::float8
        as merchant_reconciliation_last_complete_timestamp_seconds`;
}
