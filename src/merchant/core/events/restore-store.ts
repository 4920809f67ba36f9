// Moves numbers forward after a restore. The restored database has forgotten numbers that other systems have seen. New
// numbers start from the current time, which no restore sets back, even if the same backup is restored twice.

import type { Context } from '../../platform/context';

/** A version has at most nine digits, so it counts seconds from this date, until 2057. */
const VERSIONS_SINCE = Date.parse('2026-01-01T00:00:00Z');

/** Sequences with values that other systems see: event positions and row ids. */
const SEQUENCES = [
  'events_position_seq',
  'refunds_id_seq',
  'discrepancies_id_seq',
  'notifications_id_seq',
  'billing_key_issuances_id_seq',
];

/**
 * Program names of other connections to this database by a role that can write orders: the server signs in as another
 * role than the owner. A running server has several. A superuser who looks at the database is none of them.
 */
export async function findOtherConnections({ database }: Context): Promise<string[]> {
  const rows = await database.$queryRaw<{ name: string }[]>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (usename = current_user or usename in (
      select rolname from pg_roles where not rolsuper and has_table_privilege(oid, 'orders', 'insert')))
    order by 1`;
  return rows.map(({ name }) => name || 'without a name');
}

export type NumbersFrom = {
  /** New event positions, and new ids of refunds, discrepancies, notifications and issuances, are greater. */
  position: bigint;
  /** New versions of orders, subscriptions and cards are greater. */
  version: number;
};

/**
 * Moves positions, ids and versions past all earlier ones. Never moves them back, however often it is called.
 * @throws DatabaseError
 */
export async function moveNumbersOn({ database, realClock }: Context): Promise<NumbersFrom> {
  const nowMs = realClock.now().getTime();
  const floor = Math.max(0, Math.floor((nowMs - VERSIONS_SINCE) / 1000));
  // A sequence increments by one. To overtake the time it would need more than a thousand values per second for years.
  const [row] = await database.$queryRaw<[NumbersFrom]>`
    select min(setval(format('%I.%I', schemaname, sequencename)::regclass, greatest(coalesce(last_value, 0), ${nowMs}::bigint)))
        as position,
      min(setval('event_version_floor', greatest((select last_value from event_version_floor), ${floor}::bigint)))::int as version
    from pg_sequences where schemaname = current_schema() and sequencename = any(${SEQUENCES})`;
  return row;
}
