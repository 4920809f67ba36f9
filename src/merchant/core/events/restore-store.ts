// After a restore the database has forgotten which numbers it gave, and whoever was told of them has not. What is given from
// now on is taken from the time, which no restore sets back: also one of the same backup for the second time.

import type { Context } from '../../platform/context';

/** A version has at most nine digits, so it counts seconds from here: until 2057. */
const VERSIONS_SINCE = Date.parse('2026-01-01T00:00:00Z');

/** Sequences whose values leave the database: places of events, and ids by which others name a row. */
const SEQUENCES = [
  'events_position_seq',
  'refunds_id_seq',
  'discrepancies_id_seq',
  'notifications_id_seq',
  'billing_key_issuances_id_seq',
];

/** Other connections to this database by our role, with the names of their programs: a server that runs has several. */
export async function findOtherConnections({ database }: Context): Promise<string[]> {
  const rows = await database.$queryRaw<{ name: string }[]>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
    order by 1`;
  return rows.map(({ name }) => name || 'without a name');
}

export type NumbersFrom = {
  /** Positions of events, and ids of refunds, discrepancies, notifications and issuances, are greater. */
  position: bigint;
  /** Versions of orders and subscriptions that get an event are greater. */
  version: number;
};

/**
 * Moves positions, ids and versions past all that were given before. Nothing goes back, however often it is called.
 * @throws DatabaseError
 */
export async function moveNumbersOn({ database, clock }: Context): Promise<NumbersFrom> {
  const nowMs = clock.now().getTime();
  const floor = Math.max(0, Math.floor((nowMs - VERSIONS_SINCE) / 1000));
  // A sequence counts up by one: faster than a thousand times a second for years it would pass the time.
  const [row] = await database.$queryRaw<[NumbersFrom]>`
    select min(setval(format('%I.%I', schemaname, sequencename)::regclass, greatest(coalesce(last_value, 0), ${nowMs}::bigint)))
        as position,
      min(setval('event_version_floor', greatest((select last_value from event_version_floor), ${floor}::bigint)))::int as version
    from pg_sequences where schemaname = current_schema() and sequencename = any(${SEQUENCES})`;
  return row;
}
