// The outbox: events, each written by the transaction that makes the change it tells of (`save-events.ts`), and their
// deliveries. An event is published first: it gets its place in the list, and a delivery for each target.
//
// A delivery:
//
//     stateDiagram-v2
//       [*] --> waiting: published
//       waiting --> waiting: an attempt failed, the next one is due later
//       waiting --> delivered: the target took it
//       waiting --> given_up: every attempt has failed, or the target wants no more
//       given_up --> waiting: sent again by a person
//       delivered --> waiting: sent again by a person
//
// `next_attempt_at` is set while it is waiting, and no later event of its stream is delivered to that target meanwhile.

import { Prisma, type EventDelivery, type EventTarget } from '../../../generated/prisma/client';
import { createBatcher } from '../../platform/batch';
import type { Context, GaugeColumns } from '../../platform/context';
import { ageOf, COUNTED_AT_MOST, countOf } from '../../platform/gauge-store';
import type { ShopEvent } from '../../shop/event';

/** Any number of our own: publishing excludes publishing. */
const PUBLISH_LOCK = 7_310_021;
/** In one statement: a longer one would keep the lock for longer. */
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
 * Assigns each event its position in the log, oldest first, and creates a delivery for each target. Ids are taken before a statement
 * commits, so a reader could pass over one that becomes visible late; places are given one statement at a time, after
 * the fact, so a reader who has seen one has seen all before it.
 * @returns how many were published
 */
export async function publishEvents({ database, config, clock }: Context): Promise<number> {
  const targets: EventTarget[] = config.orderEvents === null ? ['handler'] : ['handler', 'url'];
  const [row] = await database.$queryRaw<{ published: number }[]>`/* publish-events */
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
      select p.id, t.target, p.stream, ${clock.now()}::timestamptz
      from published p, unnest(${targets}::event_target[]) as t (target)
      on conflict (event_id, target) do update set
        next_attempt_at = excluded.next_attempt_at, attempts = 0, delivered_at = null, reason = null
    )
    select count(*)::int as published from published`;
  return row?.published ?? 0;
}

export type ClaimedDelivery = Pick<EventDelivery, 'eventId' | 'target' | 'attempts'> & { event: ShopEvent };

/**
 * Takes deliveries that are due, the oldest first, and keeps other processes from them until `leaseUntil`: one whose
 * process dies is due again then. Of a stream only the oldest one that waits is taken, for each target.
 * @param eventId of this event alone; null for all
 */
export async function claimDeliveries(
  { database, clock }: Context,
  { leaseUntil, limit, eventId }: { leaseUntil: Date; limit: number; eventId: bigint | null },
): Promise<ClaimedDelivery[]> {
  const rows = await database.$queryRaw<ClaimedRow[]>`/* claim-deliveries */
    with due as materialized (
      select d.event_id, d.target from event_deliveries d
      where d.next_attempt_at <= ${clock.now()}::timestamptz
        and (${eventId}::bigint is null or d.event_id = ${eventId}::bigint)
        and d.event_id = (select min(w.event_id) from event_deliveries w
          where w.stream = d.stream and w.target = d.target and w.next_attempt_at is not null)
      order by d.next_attempt_at, d.event_id limit ${limit}
      for update skip locked
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

type ClaimedRow = StoredEvent & { target: EventTarget; attempts: number };

export type DeliveryResult = Pick<EventDelivery, 'eventId' | 'target' | 'attempts'> & {
  /** Null: it was delivered. */
  reason: string | null;
  /** Null: there is no next attempt. */
  nextAttemptAt: Date | null;
};

const saving = createBatcher(saveDeliveries);

/** One that a person has sent again meanwhile, or another process has taken, is left alone: its attempts have moved on. */
export function saveDelivery(context: Context, result: DeliveryResult): Promise<void> {
  return saving.add(context, result);
}

async function saveDeliveries(
  { database, clock }: Context,
  results: readonly DeliveryResult[],
): Promise<void[]> {
  const input = results.map(({ eventId, ...rest }) => ({ ...rest, eventId: String(eventId) }));
  await database.$executeRaw`/* save-deliveries */
    update event_deliveries d
    set next_attempt_at = r."nextAttemptAt", reason = r.reason,
      delivered_at = case when r.reason is null then ${clock.now()}::timestamptz else d.delivered_at end
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as r (
      "eventId" bigint, target event_target, attempts int, reason text, "nextAttemptAt" timestamptz)
    where d.event_id = r."eventId" and d.target = r.target and d.attempts = r.attempts`;
  return results.map(() => undefined);
}

export type StoredEventWithDeliveries = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

const WITH_DELIVERIES = { deliveries: { orderBy: { target: 'asc' } } } as const;

/** @param id `{stream}:{version}` @returns null if there is none */
export async function findEvent({ database }: Context, id: string) {
  const [, stream, version] = /^([\w.:-]{1,64}):(\d{1,9})$/.exec(id) ?? [];
  if (stream === undefined || version === undefined) return null;
  return database.event.findUnique({
    where: { stream_version: { stream, version: Number(version) } },
    include: WITH_DELIVERIES,
  });
}

export type EventFilter = {
  /** A place; absent: from the beginning. */
  after?: bigint | undefined;
  stream?: string | undefined;
  /** Whether a target has not taken it. */
  undelivered?: boolean | undefined;
};

/** Published events by their places, the oldest first. */
export async function findEvents(
  { database }: Context,
  { after, stream, undelivered }: EventFilter,
  take: number,
) {
  const missing = { deliveredAt: null };
  return database.event.findMany({
    where: {
      position: { gt: after ?? 0n },
      ...(stream !== undefined && { stream }),
      ...(undelivered !== undefined && { deliveries: undelivered ? { some: missing } : { none: missing } }),
    },
    include: WITH_DELIVERIES,
    orderBy: { position: 'asc' },
    take,
  });
}

/** Makes all deliveries of a published event due again, with all attempts before them. Returns whether there are any. */
export async function resetDeliveries({ database, clock }: Context, eventId: bigint): Promise<boolean> {
  const { count } = await database.eventDelivery.updateMany({
    where: { eventId },
    data: { nextAttemptAt: clock.now(), attempts: 0, deliveredAt: null, reason: null },
  });
  return count > 0;
}

export function toShopEvent({ stream, version, type, data, occurredAt }: Omit<StoredEvent, 'id'>): ShopEvent {
  return { id: `${stream}:${version}`, type, timestamp: occurredAt.toISOString(), data } as ShopEvent;
}

/** Events that have no place yet, and deliveries that are to be tried or were given up. */
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
