// What is open and due in the inbox, over all processes: claimed by one of them, brought forward when the service is back.
// The row says when; a job only wakes somebody.

import { Prisma } from '../../generated/prisma/client';
import { TEST_BUTTON_ADDRESS } from '../config';
import type { Context } from '../context';
import { OUTAGE_KINDS } from '../errors';
import { LEASE_MS, type IncomingNotification, type OpenNotifications } from './inbox-store';

export type Generation = IncomingNotification['generation'];

/** How many copies of one notification an attempt takes up. */
const MOST_COPIES = 1000;
/** Rows of one statement. */
const PAGE = 1000;

const WAITS_FOR_SERVICE = Prisma.sql`outcome = 'queued' and reason in (${Prisma.join([...OUTAGE_KINDS])})`;
const NOT_PACED = Prisma.sql`reason is distinct from 'paced'`;

/**
 * Claims payments whose next attempt is due, the longest due first, each with all of its open notifications. Nobody else
 * gets them before the lease is over, which is also their next attempt if this process dies.
 */
export function claimDue(
  context: Context,
  generation: Generation,
  limit: number,
): Promise<OpenNotifications[]> {
  const now = context.clock.now();
  return claim(
    context,
    limit,
    Prisma.sql`generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at <= ${now}::timestamptz`,
  );
}

/** The same for those that are paced, of both generations. */
export function claimPaced(context: Context, limit: number): Promise<OpenNotifications[]> {
  const now = context.clock.now();
  return claim(context, limit, Prisma.sql`reason = 'paced' and next_attempt_at <= ${now}::timestamptz`);
}

/** One payment that waits for the service, before its time: the one that is due next, so that they take turns. */
export async function claimProbe(
  context: Context,
  generation: Generation,
): Promise<OpenNotifications | null> {
  const waits = Prisma.sql`generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at is not null
    and ${WAITS_FOR_SERVICE}`;
  const [claimed = null] = await claim(context, 1, waits);
  return claimed;
}

type ClaimedRow = IncomingNotification & { id: bigint; attempts: number };

/**
 * Rows that others have locked are left to them: two processes share what is due, and wait for nothing. A claimed row says
 * so: it does not wait for the service, and is not brought forward while it is checked.
 */
async function claim(
  { database, clock }: Context,
  limit: number,
  which: Prisma.Sql,
): Promise<OpenNotifications[]> {
  const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
  const rows = await database.$queryRaw<ClaimedRow[]>`
    with due as materialized (
      select svc_uid, merchant_uid from notifications where ${which}
      order by next_attempt_at limit ${limit} for update skip locked
    ), copies as materialized (
      select copy.id from (select distinct svc_uid, merchant_uid from due) payment
      cross join lateral (
        select id from notifications n
        where n.svc_uid = payment.svc_uid and n.merchant_uid = payment.merchant_uid and n.next_attempt_at is not null
        order by id limit ${MOST_COPIES} for update skip locked) copy
    )
    update notifications n set next_attempt_at = ${leaseUntil}::timestamptz, reason = 'claimed'
    from copies where n.id = copies.id
    returning n.id, n.svc_uid as "svcUid", n.merchant_uid as "merchantUid", n.generation::text as generation,
      n.claimed_status as "claimedStatus", n.source_address as "sourceAddress", n.received_at as "receivedAt",
      n.request_id::text as "requestId", n.attempts`;
  const byPayment = new Map<string, ClaimedRow[]>();
  for (const row of rows) {
    const key = `${row.svcUid} ${row.merchantUid}`;
    byPayment.set(key, [...(byPayment.get(key) ?? []), row]);
  }
  return [...byPayment.values()].map(toOpen);
}

/**
 * One attempt for all copies: as the newest says, open since the oldest came. One of the service's test button does not
 * speak for the others: it would end as a test what is not one.
 */
function toOpen(copies: ClaimedRow[]): OpenNotifications {
  const sorted = copies.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [oldest] = sorted as [ClaimedRow];
  const genuine = sorted.findLast(({ sourceAddress }) => sourceAddress !== TEST_BUTTON_ADDRESS);
  const newest = genuine ?? sorted.at(-1) ?? oldest;
  return {
    ...newest,
    ids: sorted.map(({ id }) => id),
    receivedAt: oldest.receivedAt,
    attempts: Math.max(...sorted.map(({ attempts }) => attempts)),
  };
}

/** When the next attempt of a generation is due; null where nothing is open. What is paced does not count. */
export async function findNextDue({ database }: Context, generation: Generation): Promise<Date | null> {
  const [row] = await database.$queryRaw<{ due: Date | null }[]>`
    select min(next_attempt_at) as due from notifications
    where generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at is not null`;
  return row?.due ?? null;
}

/** Makes due what waits for the service, the oldest first, some rows at a time. Returns how many there were. */
export async function bringForward({ database, clock }: Context, generation: Generation): Promise<number> {
  return database.$executeRaw`
    update notifications set next_attempt_at = received_at
    where id in (
      select id from notifications
      where generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at > ${clock.now()}::timestamptz
        and ${WAITS_FOR_SERVICE}
      order by next_attempt_at limit ${PAGE} for update skip locked)`;
}
