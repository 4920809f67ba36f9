// Stores how far reconciliation has come. The comparison of a page with our rows is also here, because it is one
// statement.

import { Prisma, type DiscrepancyKind } from '../../../generated/prisma/client';
import type { Context, GaugeColumns } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import type { MismatchKind } from '../discrepancies/kinds';
import type { ReportedIds } from '../payments/fetch-payment';
import type { ListedPayment } from './listed-payments';
import type { Unresolved } from './reconciliation-report';
import type { Position } from './windows';

/** A payment that the service lists differently from the stored one. */
export type Difference = ReportedIds & {
  /** The discrepancy that says so already: another sync would find the same. Null if there is none. */
  known: MismatchKind | typeof VALUE_REFUSED | null;
};

/** The table has one row. */
const ROW = 1;

/** Returns null before the first reconciliation. */
export async function findPosition({ database }: Context): Promise<Position | null> {
  const { comparedTo, lookedBackAt: ninetyDaysAt } =
    (await database.reconciliationRun.findUnique({ where: { id: ROW } })) ?? {};
  return comparedTo && ninetyDaysAt ? { comparedTo, ninetyDaysAt } : null;
}

export async function savePosition(
  { database }: Context,
  { comparedTo, ninetyDaysAt }: Position,
): Promise<void> {
  const position = { comparedTo, lookedBackAt: ninetyDaysAt };
  await database.reconciliationRun.upsert({ where: { id: ROW }, create: position, update: position });
}

/** Records the end of a run, by the host's clock. Only people use these columns. */
export async function saveRun(context: Context, { isComplete }: { isComplete: boolean }): Promise<void> {
  const finishedAt = context.clock.now();
  const run = { finishedAt, ...(isComplete && { completeAt: finishedAt }) };
  await context.database.reconciliationRun.upsert({ where: { id: ROW }, create: run, update: run });
}

/** By the host's clock. Returns null if there is no order. */
export async function findFirstOrderTime({ database }: Context): Promise<Date | null> {
  const rows = await database.$queryRaw<{ first: Date | null }[]>`
    select min(created_at) as first from orders`;
  return rows[0]?.first ?? null;
}

/**
 * Condition on a discrepancy `d` of a listed payment `l` and its order `o`: what made the payment not fit is unchanged. A
 * value that the list does not give (null) counts as unchanged. A value that PostgreSQL refuses is refused again by each
 * sync. Discrepancies of other kinds may be gone at any time, as when the service repairs a record.
 */
const STILL_STANDS = Prisma.raw(`(d.resolved_at is null or d.resolution is not null) and case d.kind
  when 'unknown_order' then o.merchant_uid is null
  when 'amount_mismatch' then coalesce(d.actual = l.amount || ' ' || l.currency, true)
  when 'currency_mismatch' then coalesce(d.actual = l.currency, true)
  when 'needs_review' then d.actual like 'SQLSTATE %'
  else d.kind in ('order_mismatch', 'unknown_billing_key') end`);

/**
 * The payments of a page that differ from the stored ones, in one statement. It compares what decides the state of an
 * order, and skips values that the list does not give (null).
 */
export async function findDifferences(
  context: Context,
  listed: readonly ListedPayment[],
): Promise<Difference[]> {
  // Orders and discrepancies are looked up only for payments that differ.
  return context.database.$queryRaw<Difference[]>`/* compare-listed-payments */
    select l.svc_uid as "svcUid", l.merchant_uid as "merchantUid", (
        select case d.kind when 'needs_review' then ${VALUE_REFUSED} else d.kind::text end from discrepancies d
        where d.svc_uid = l.svc_uid and d.merchant_uid = l.merchant_uid and ${STILL_STANDS}
        order by d.last_seen_at desc limit 1) as known
    from rows from (jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as ("svcUid" text, "merchantUid" text,
      "status" text, "amount" bigint, "cancelAmount" bigint, "currency" text))
      as l (svc_uid, merchant_uid, status, amount, cancel_amount, currency)
    left join payments p on p.svc_uid = l.svc_uid
    left join orders o on o.merchant_uid = l.merchant_uid
    where (p.svc_uid is null or p.merchant_uid <> l.merchant_uid or p.status::text <> l.status
        or p.amount <> l.amount or p.cancel_amount <> l.cancel_amount or p.currency <> l.currency)
      -- As judge-payment.ts: over another amount than the order's, and nothing is paid, it is not stored.
      and not (p.svc_uid is null and l.status in ('ready', 'failed') and l.cancel_amount = 0
        and coalesce(l.amount <> o.amount or l.currency <> o.currency, false))
      -- A payment of 0 has no row. It has issued a key that is stored, or none.
      and not (p.svc_uid is null and l.amount = 0 and (l.status in ('ready', 'failed')
        -- With \`exists\` PostgreSQL would read all keys.
        or (select true from billing_keys k where k.issued_by = l.svc_uid limit 1) is true))`;
}

/**
 * Payments whose order was unknown and has been registered since. One that did not fit then either has another
 * discrepancy instead.
 */
export async function findOfRegisteredOrders({ database }: Context): Promise<Difference[]> {
  return database.$queryRaw<Difference[]>`
    select d.svc_uid as "svcUid", d.merchant_uid as "merchantUid", null as known
    from discrepancies d cross join lateral (select from orders where merchant_uid = d.merchant_uid limit 1) registered
    where d.kind = 'unknown_order' and d.resolved_at is null
      and not exists (select from discrepancies later
        where later.svc_uid = d.svc_uid and later.merchant_uid = d.merchant_uid and later.last_seen_at >= d.last_seen_at
          and later.kind in ('amount_mismatch', 'currency_mismatch', 'order_mismatch', 'needs_review'))
    order by d.id
    limit 10000`;
}

/** How many of these payments differ for a reason about which a person has decided. */
export async function countDecided(
  { database }: Context,
  unresolved: readonly Unresolved[],
): Promise<number> {
  const decided = await database.discrepancy.findMany({
    where: { svcUid: { in: unresolved.map(({ svcUid }) => svcUid) }, resolvedAt: { not: null } },
    select: { svcUid: true, merchantUid: true, kind: true },
  });
  const keyOf = (svcUid: string, merchantUid: string, kind: DiscrepancyKind | 'queued') =>
    `${svcUid} ${merchantUid} ${kind}`;
  const keys = new Set(decided.map(({ svcUid, merchantUid, kind }) => keyOf(svcUid, merchantUid, kind)));
  return unresolved.filter(({ svcUid, merchantUid, outcome }) =>
    keys.has(keyOf(svcUid, merchantUid, outcome)),
  ).length;
}

export function readReconciliationGauges({ database }: Context) {
  return database.$queryRaw<GaugeColumns[]>`
    select coalesce((select extract(epoch from finished_at) from reconciliation_runs), 0)::float8
        as merchant_reconciliation_last_finished_timestamp_seconds,
      coalesce((select extract(epoch from complete_at) from reconciliation_runs), 0)::float8
        as merchant_reconciliation_last_complete_timestamp_seconds`;
}
