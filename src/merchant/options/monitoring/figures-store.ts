// What waits in the database, as figures for `/metrics`: how much, and since when. One statement, each part of it by an
// index that leads to nothing but what waits.

import type { DiscrepancyKind } from '../../../generated/prisma/client';
import type { AttemptKind } from '../../core/attempts/attempt-store';
import type { Context } from '../../platform/context';

type ByAttempt = Record<AttemptKind, number>;

export type Figures = {
  openNotifications: number;
  /**
   * When the oldest one was received that could not be checked so far; null where there is none. So for the other times.
   * One that was checked and is looked at again, such as for an order that nobody has registered, is not among them.
   */
  oldestUncheckedNotification: Date | null;
  /** A kind of which none is open is absent. */
  openDiscrepancies: Partial<Record<DiscrepancyKind, number>>;
  /** Attempts that only a person can settle, and those whose outcome is not known yet. */
  needingPerson: ByAttempt;
  unresolved: ByAttempt;
  /** When the oldest of them began, in UNIX seconds. */
  unresolvedSince: Record<AttemptKind, number | null>;
  /** Events that have no place yet, and deliveries that are to be tried or were given up. */
  events: { unpublished: number; waiting: number; given_up: number };
  /** When the oldest event happened that is unpublished or waiting. */
  oldestEvent: Date | null;
  overdueSubscriptions: number;
  reconciliationFinished: Date | null;
  reconciliationComplete: Date | null;
};

/** Counting stops here, so that a large backlog costs no more than some hundredth of a second. */
export const COUNTED_AT_MOST = 100_000;
/** The job that checks subscriptions runs every minute. */
const SUBSCRIPTION_OVERDUE_MS = 10 * 60_000;

/** @throws DatabaseError */
export async function readFigures({ database, clock }: Context): Promise<Figures> {
  const overdueBefore = new Date(clock.now().getTime() - SUBSCRIPTION_OVERDUE_MS);
  const [, [figures]] = await database.$transaction([
    database.$queryRaw`select set_config('statement_timeout', '2000', true)`,
    database.$queryRaw<[Figures]>`
    select
      (select count(*)::int from (
        select from notifications where next_attempt_at is not null limit ${COUNTED_AT_MOST}) open
      ) as "openNotifications",
      (select received_at from notifications
        where next_attempt_at is not null and (outcome is null or outcome = 'queued')
        order by id limit 1) as "oldestUncheckedNotification",
      (select coalesce(jsonb_object_agg(kind, number), '{}') from (
        select kind, count(*)::int as number from (
          select kind from discrepancies where resolved_at is null limit ${COUNTED_AT_MOST}) open
        group by kind) counted
      ) as "openDiscrepancies",
      jsonb_build_object(
        'issuance', (select count(*)::int from (
          select from billing_key_issuances where status = 'needs_review' limit ${COUNTED_AT_MOST}) i),
        'charge', (select count(*)::int from (
          select from charges where status = 'needs_review' limit ${COUNTED_AT_MOST}) c),
        'refund', (select count(*)::int from (
          select from refunds where status = 'needs_review' limit ${COUNTED_AT_MOST}) r)
      ) as "needingPerson",
      jsonb_build_object(
        'issuance', (select count(*)::int from (
          select from billing_key_issuances where status in ('pending', 'unknown') limit ${COUNTED_AT_MOST}) i),
        'charge', (select count(*)::int from (
          select from charges where status in ('pending', 'unknown') limit ${COUNTED_AT_MOST}) c),
        'refund', (select count(*)::int from (
          select from refunds where status in ('pending', 'unknown') limit ${COUNTED_AT_MOST}) r)
      ) as "unresolved",
      jsonb_build_object(
        'issuance', (select extract(epoch from min(started_at)) from billing_key_issuances
          where status in ('pending', 'unknown')),
        'charge', (select extract(epoch from min(started_at)) from charges where status in ('pending', 'unknown')),
        'refund', (select extract(epoch from min(started_at)) from refunds where status in ('pending', 'unknown'))
      ) as "unresolvedSince",
      (select jsonb_build_object(
          'unpublished', (select count(*)::int from (
            select from events where position is null limit ${COUNTED_AT_MOST}) e),
          'waiting', count(*) filter (where next_attempt_at is not null),
          'given_up', count(*) filter (where next_attempt_at is null))
        from (
          select next_attempt_at from event_deliveries where delivered_at is null limit ${COUNTED_AT_MOST}) d
      ) as "events",
      least(
        (select occurred_at from events where position is null order by id limit 1),
        (select e.occurred_at from event_deliveries d join events e on e.id = d.event_id
          where d.delivered_at is null and d.next_attempt_at is not null order by d.event_id limit 1)
      ) as "oldestEvent",
      (select count(*)::int from (
        select from subscriptions
        where status in ('active', 'past_due') and check_at < ${overdueBefore}::timestamptz
        limit ${COUNTED_AT_MOST}) s
      ) as "overdueSubscriptions",
      (select finished_at from reconciliation_runs) as "reconciliationFinished",
      (select complete_at from reconciliation_runs) as "reconciliationComplete"`,
  ]);
  return figures;
}
