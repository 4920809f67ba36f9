// Stores discrepancies and what a person has decided about them. Lists are in the order of first sight: a discrepancy
// that is seen again keeps its place, so pages do not shift during reading.
//
//     stateDiagram-v2
//       [*] --> open: checked, and it did not fit
//       open --> resolved: a payment that fits (unknown_order, unknown_payment, needs_review)
//       open --> decided: a person has resolved it, or its payment was refunded in full
//       resolved --> open: seen again
//       decided --> decided: the same difference is seen again
//       decided --> open: another difference is seen
//
// `resolved_at` is null while it is open; `resolution` is the decision.

import {
  Prisma,
  type DiscrepancyKind,
  type DiscrepancyResolution,
  type Discrepancy as StoredDiscrepancy,
} from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { COUNTED_AT_MOST } from '../../platform/gauge-store';
import type { Decision } from '../attempts/decision';
import { discrepancyKinds, isOpenUntilMatch, type Discrepancy } from './kinds';

export type { StoredDiscrepancy };

/** The payment and the order of a discrepancy, as they were reported. */
export type DiscrepancyIds = Pick<StoredDiscrepancy, 'svcUid' | 'merchantUid'>;

type DiscrepancyFilter = Partial<Pick<StoredDiscrepancy, 'svcUid' | 'merchantUid' | 'kind'>> & {
  after?: bigint | undefined;
  /** True: not resolved yet. */
  open?: boolean | undefined;
  /** Time last seen, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The newest first. */
export async function findDiscrepancies(
  { database }: Context,
  { after, open, from, to, ...columns }: DiscrepancyFilter,
  take: number,
): Promise<StoredDiscrepancy[]> {
  return database.discrepancy.findMany({
    where: {
      ...columns,
      ...(after !== undefined && { id: { lt: after } }),
      ...(open !== undefined && { resolvedAt: open ? null : { not: null } }),
      lastSeenAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
    },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Returns null if there is none with this id. */
export async function findDiscrepancy({ database }: Context, id: bigint): Promise<StoredDiscrepancy | null> {
  return database.discrepancy.findUnique({ where: { id } });
}

/** Whether the money of this payment is contested. A disputed payment still pays for its order, as one with an unknown key. */
export async function hasOpenDiscrepancy(
  { database }: Context,
  { svcUid, merchantUid }: DiscrepancyIds,
): Promise<boolean> {
  const kinds = discrepancyKinds.filter(
    (kind) => kind !== 'dispute_opened' && kind !== 'unknown_billing_key',
  );
  const where = { svcUid, merchantUid, kind: { in: kinds }, resolvedAt: null };
  return (await database.discrepancy.count({ where })) > 0;
}

export type NewDiscrepancy = DiscrepancyIds & Discrepancy;

const keyOf = ({
  kind,
  svcUid,
  merchantUid,
}: Pick<NewDiscrepancy, 'kind' | 'svcUid' | 'merchantUid'>): string =>
  JSON.stringify([kind, svcUid, merchantUid]);

/**
 * The discrepancies that were not reported yet: none of their kind is open for this payment and order, and no person has
 * decided about the same difference. Call it before they are written. If two processes find the same one at the same
 * moment, both report it.
 */
export async function findUnreported(
  { database }: Context,
  found: readonly NewDiscrepancy[],
): Promise<NewDiscrepancy[]> {
  if (found.length === 0) return [];
  const svcUids = [...new Set(found.map(({ svcUid }) => svcUid))];
  const rows = await database.discrepancy.findMany({ where: { svcUid: { in: svcUids } } });
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  return found.filter((each) => {
    const row = stored.get(keyOf(each));
    if (!row) return true;
    const isSame = row.expected === each.expected && row.actual === each.actual;
    return row.resolvedAt !== null && !(row.resolution !== null && isSame);
  });
}

/**
 * The statement that stores discrepancies, or counts them as seen again; null if there are none. A person's decision
 * stays while the same difference is seen again. A different one reopens the row and clears the decision.
 */
export function upsertDiscrepancies(found: readonly NewDiscrepancy[], now: Date): Prisma.Sql | null {
  if (found.length === 0) return null;
  // One statement cannot update a row twice.
  const distinct = new Map(found.map((each) => [keyOf(each), each]));
  return Prisma.sql`/* upsert-discrepancies */
    insert into discrepancies as d (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at)
    select kind, "svcUid", "merchantUid", expected, actual, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify([...distinct.values()])}::jsonb)
      as n (kind discrepancy_kind, "svcUid" text, "merchantUid" text, expected text, actual text)
    on conflict (kind, svc_uid, merchant_uid) do update set
      times_seen = d.times_seen + 1, last_seen_at = excluded.last_seen_at,
      expected = excluded.expected, actual = excluded.actual,
      resolved_at = case when ${STILL_DECIDED} then d.resolved_at end,
      resolution = case when ${STILL_DECIDED} then d.resolution end,
      resolved_by = case when ${STILL_DECIDED} then d.resolved_by end,
      resolution_note = case when ${STILL_DECIDED} then d.resolution_note end`;
}

const STILL_DECIDED = Prisma.raw(`d.resolution is not null and d.resolved_at is not null
  and (d.expected, d.actual) is not distinct from (excluded.expected, excluded.actual)`);

/** The same for discrepancies that were not found by a sync. */
export async function saveDiscrepancies(
  { database, clock }: Context,
  found: readonly NewDiscrepancy[],
): Promise<void> {
  const statement = upsertDiscrepancies(found, clock.now());
  if (statement) await database.$executeRaw(statement);
}

/**
 * Opens a dispute that a person enters, also one that was resolved before: the person knows of another one. One that is
 * open is not changed.
 */
export async function openDispute(
  { database, clock }: Context,
  { svcUid, merchantUid }: DiscrepancyIds,
  { kind, expected, actual }: Discrepancy,
): Promise<{ id: bigint; isNew: boolean }> {
  const now = clock.now();
  const [opened] = await database.$queryRaw<{ id: bigint }[]>`
    insert into discrepancies as d (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at)
    values (${kind}::discrepancy_kind, ${svcUid}, ${merchantUid}, ${expected}, ${actual}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (kind, svc_uid, merchant_uid) do update set
      times_seen = d.times_seen + 1, last_seen_at = excluded.last_seen_at,
      expected = excluded.expected, actual = excluded.actual,
      resolved_at = null, resolution = null, resolved_by = null, resolution_note = null
    where d.resolved_at is not null
    returning id`;
  if (opened) return { id: opened.id, isNew: true };
  const open = await database.discrepancy.findFirstOrThrow({ where: { svcUid, merchantUid, kind } });
  return { id: open.id, isNew: false };
}

/**
 * The statement by which a payment that fits resolves the open discrepancies that said that it, or its order, is unknown or
 * cannot be verified.
 */
export function resolveMatched(reported: readonly DiscrepancyIds[], now: Date): Prisma.Sql | null {
  if (reported.length === 0) return null;
  return Prisma.sql`/* resolve-discrepancies */
    update discrepancies d set resolved_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as reported ("svcUid" text, "merchantUid" text)
    where d.svc_uid = reported."svcUid" and d.merchant_uid = reported."merchantUid" and ${isOpenUntilMatch}`;
}

/** Stores a person's decision. Returns false if the discrepancy is already resolved. */
export async function saveDecision(
  { database, clock }: Context,
  id: bigint,
  { resolution, by, note }: Decision & { resolution: DiscrepancyResolution },
): Promise<boolean> {
  const { count } = await database.discrepancy.updateMany({
    where: { id, resolvedAt: null },
    data: { resolvedAt: clock.now(), resolution, resolvedBy: by, resolutionNote: note },
  });
  return count === 1;
}

export type OpenDiscrepancies = {
  /** Kinds without an open discrepancy are absent. */
  merchant_discrepancies_open: Partial<Record<DiscrepancyKind, number>>;
};

/** Counted up to COUNTED_AT_MOST over all kinds. */
export function countOpenDiscrepancies({ database }: Context) {
  return database.$queryRaw<[OpenDiscrepancies]>`
    select coalesce(jsonb_object_agg(kind, number), '{}') as merchant_discrepancies_open from (
      select kind, count(*)::int as number from (
        select kind from discrepancies where resolved_at is null limit ${COUNTED_AT_MOST}) open
      group by kind) counted`;
}
