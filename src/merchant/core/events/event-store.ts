// The outbox: events, each written in the transaction of its change (`save-events.ts`), and their deliveries.
// Publishing an event assigns its position in the log and creates a delivery for each target.
//
// A delivery:
//
//     stateDiagram-v2
//       [*] --> waiting: published
//       waiting --> waiting: an attempt failed, the next one is due later
//       waiting --> delivered: the target accepted it
//       waiting --> given_up: every attempt has failed, or the target answered 410
//       given_up --> waiting: sent again by a person
//       delivered --> waiting: sent again by a person
//       waiting --> given_up: for a day no process has known the target
//
// `next_attempt_at` is real time, and set while it is waiting. During that time no later event of its stream is delivered to that
// target. Other targets do not wait.

import { Prisma, type EventDelivery } from '../../../generated/prisma/client';
import { runTogether } from '../../platform/batch';
import type { Context, GaugeColumns } from '../../platform/context';
import { ageOf, COUNTED_AT_MOST, countOf } from '../../platform/gauge-store';
import type { ShopEvent } from '../../shop/event';
import { targetsOf } from './handlers';

/** Arbitrary advisory lock id: only one process publishes at a time. */
const PUBLISH_LOCK = 7_310_021;
/** Maximum per statement, so that the lock is held only briefly. */
const PUBLISH_LIMIT = 1000;

type StoredEvent = {
  id: bigint;
  stream: string;
  version: number;
  type: string;
  data: unknown;
  occurredAt: Date;
};

/**
 * Assigns each event its position in the log, oldest first, and creates a delivery for each target. Ids are assigned
 * before commit, so a reader by id could miss an event that becomes visible late. Positions are assigned after commit,
 * by one statement at a time, so a reader who has seen one has seen all before it.
 * @returns how many were published
 */
export async function publishEvents(context: Context): Promise<number> {
  const { database, realClock } = context;
  const [row] = await database.$statement<{ published: number }[]>`/* publish-events */
    with locked as materialized (
      select pg_advisory_xact_lock(${PUBLISH_LOCK}::bigint)
    ), numbered as materialized (
      select id, nextval('events_position_seq') as position
      from (select e.id from locked, events e where e.position is null order by e.id limit ${PUBLISH_LIMIT}) unpublished
    ), published as (
      update events e set position = n.position from numbered n where n.id = e.id and e.position is null
      returning e.id, e.stream
    ), deliveries as (
      insert into event_deliveries (event_id, target, stream, next_attempt_at)
      select p.id, t.target, p.stream, ${realClock.now()}::timestamptz
      from published p, unnest(${targetsOf(context)}::text[]) as t (target)
      on conflict (event_id, target) do update set
        next_attempt_at = excluded.next_attempt_at, attempts = 0, delivered_at = null, reason = null
    )
    select count(*)::int as published from published`;
  return row?.published ?? 0;
}

export type ClaimedDelivery = Pick<EventDelivery, 'eventId' | 'target' | 'attempts'> & { event: ShopEvent };

/**
 * Claims due deliveries, the oldest first. Other processes cannot claim them until `leaseUntil`; if this process dies,
 * they are due again then. For each stream and target, only the oldest waiting delivery is claimed. A target that this
 * process does not know is left to a process that does, such as one of another version.
 * @param which `limit` is for each target; `targets`: default all that this process knows; `eventId`: only this event
 */
export async function claimDeliveries(
  context: Context,
  {
    leaseUntil,
    limit,
    targets = targetsOf(context),
    eventId,
  }: { leaseUntil: Date; limit: number; targets?: readonly string[]; eventId: bigint | null },
): Promise<ClaimedDelivery[]> {
  const { database, realClock } = context;
  const rows = await database.$statement<ClaimedRow[]>`/* claim-deliveries */
    with due as materialized (
      select d.event_id, d.target from unnest(${targets}::varchar[]) as t (target) cross join lateral (
        select d.event_id, d.target from event_deliveries d
        where d.target = t.target and d.next_attempt_at <= ${realClock.now()}::timestamptz
          and (${eventId}::bigint is null or d.event_id = ${eventId}::bigint)
          and d.event_id = (select min(w.event_id) from event_deliveries w
            where w.stream = d.stream and w.target = d.target and w.next_attempt_at is not null)
        order by d.next_attempt_at, d.event_id limit ${limit}
        for update skip locked) d
    ), claimed as (
      update event_deliveries d set next_attempt_at = ${leaseUntil}::timestamptz, attempts = d.attempts + 1
      from due where d.event_id = due.event_id and d.target = due.target
      returning d.event_id, d.target, d.attempts
    )
    select e.id, e.stream, e.version, e.type, e.data, e.occurred_at as "occurredAt", claimed.target, claimed.attempts
    from claimed join events e on e.id = claimed.event_id order by e.id`;
  return rows.map(({ target, attempts, id, ...event }) => ({
    eventId: id,
    target,
    attempts,
    event: toShopEvent(event),
  }));
}

type ClaimedRow = StoredEvent & { target: string; attempts: number };

export type DeliveryResult = Pick<EventDelivery, 'eventId' | 'target' | 'attempts'> & {
  /** Null if it was delivered. */
  reason: string | null;
  /** Null if there is no next attempt. */
  nextAttemptAt: Date | null;
};

/**
 * Does not change a delivery that a person has replayed or another process has claimed meanwhile, because its number of
 * attempts has changed.
 */
export function saveDelivery(context: Context, result: DeliveryResult): Promise<void> {
  return runTogether(context, saveDeliveries, result);
}

async function saveDeliveries(
  { database, clock }: Context,
  results: readonly DeliveryResult[],
): Promise<void[]> {
  const input = results.map(({ eventId, ...rest }) => ({ ...rest, eventId: String(eventId) }));
  await database.$statement`/* save-deliveries */
    update event_deliveries d
    set next_attempt_at = r."nextAttemptAt", reason = r.reason,
      delivered_at = case when r.reason is null then ${clock.now()}::timestamptz else d.delivered_at end
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as r (
      "eventId" bigint, target text, attempts int, reason text, "nextAttemptAt" timestamptz)
    where d.event_id = r."eventId" and d.target = r.target and d.attempts = r.attempts`;
  return results.map(() => undefined);
}

export type StoredEventWithDeliveries = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

const WITH_DELIVERIES = { deliveries: { orderBy: { target: 'asc' } } } as const;

/** @param id `{stream}:{version}` @returns null if there is none */
export async function findEvent({ database }: Context, id: string) {
  const [, stream, version] = /^([\w.:-]{1,100}):(\d{1,9})$/.exec(id) ?? [];
  if (stream === undefined || version === undefined) return null;
  return database.event.findUnique({
    where: { stream_version: { stream, version: Number(version) } },
    include: WITH_DELIVERIES,
  });
}

export type EventFilter = {
  /** The end at which the list starts; default: `oldest`. */
  from?: 'oldest' | 'newest' | undefined;
  /** The position of the last event of the page before; absent for the first page. */
  after?: bigint | undefined;
  stream?: string | undefined;
  /** Whether a target has not received it. */
  undelivered?: boolean | undefined;
  /** Only this target counts; absent for any. */
  target?: string | undefined;
};

/** Published events by position. */
export async function findEvents(
  { database }: Context,
  { from = 'oldest', after, stream, undelivered, target }: EventFilter,
  take: number,
) {
  const ofTarget = target === undefined ? {} : { target };
  const missing = { ...ofTarget, deliveredAt: null };
  return database.event.findMany({
    where: {
      position: from === 'oldest' || after === undefined ? { gt: after ?? 0n } : { gt: 0n, lt: after },
      ...(stream !== undefined && { stream }),
      ...(undelivered === undefined && target !== undefined && { deliveries: { some: ofTarget } }),
      ...(undelivered !== undefined && { deliveries: undelivered ? { some: missing } : { none: missing } }),
    },
    include: WITH_DELIVERIES,
    orderBy: { position: from === 'oldest' ? 'asc' : 'desc' },
    take,
  });
}

/**
 * Makes a published event due again for these targets, with all attempts available, whether or not it was due for them
 * before.
 */
export async function resetDeliveries(
  { database, realClock }: Context,
  eventId: bigint,
  targets: readonly string[],
): Promise<void> {
  await database.$executeRaw`
    insert into event_deliveries (event_id, target, stream, next_attempt_at)
    select e.id, t.target, e.stream, ${realClock.now()}::timestamptz
    from events e, unnest(${targets}::text[]) as t (target) where e.id = ${eventId}
    on conflict (event_id, target) do update set
      next_attempt_at = excluded.next_attempt_at, attempts = 0, delivered_at = null, reason = null`;
}

/** Maximum per statement. */
const GIVE_UP_LIMIT = 1000;

/**
 * Gives up deliveries that were due before then and whose target this process does not know: a handler that was renamed
 * or removed, or the URL if none is set any more. @returns their number for each target
 */
export async function giveUpUnknownTargets(
  context: Context,
  dueBefore: Date,
): Promise<{ target: string; count: number }[]> {
  return context.database.$queryRaw`
    with abandoned as (
      select event_id, target from event_deliveries
      where next_attempt_at < ${dueBefore}::timestamptz and target <> all(${targetsOf(context)}::text[])
      order by next_attempt_at, event_id limit ${GIVE_UP_LIMIT}
    ), given_up as (
      update event_deliveries d set next_attempt_at = null, reason = 'no_handler' from abandoned a
      where d.event_id = a.event_id and d.target = a.target
      returning d.target
    )
    select target, count(*)::int as count from given_up group by target order by target`;
}

export function toShopEvent({ stream, version, type, data, occurredAt }: Omit<StoredEvent, 'id'>): ShopEvent {
  return { id: `${stream}:${version}`, type, timestamp: occurredAt.toISOString(), data } as ShopEvent;
}

/** Counts unpublished events, and deliveries that are waiting or were given up. */
export function readEventGauges({ database }: Context, now: Date) {
  const unpublished = Prisma.sql`from events where position is null`;
  const oldest = Prisma.sql`select least(
    (select occurred_at ${unpublished} order by id limit 1),
    (select e.occurred_at from event_deliveries d join events e on e.id = d.event_id
      where d.delivered_at is null and d.next_attempt_at is not null order by d.event_id limit 1))`;
  return database.$queryRaw<GaugeColumns[]>`
    select jsonb_build_object(
        'unpublished', ${countOf(unpublished)},
        'waiting', count(*) filter (where next_attempt_at is not null),
        'given_up', count(*) filter (where next_attempt_at is null)) as merchant_events_undelivered,
      ${ageOf(oldest, now)} as merchant_events_oldest_undelivered_age_seconds
    from (select next_attempt_at from event_deliveries where delivered_at is null limit ${COUNTED_AT_MOST}) undelivered`;
}
