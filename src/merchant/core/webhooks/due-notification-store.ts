// What is open and due in the inbox, over all processes: claimed by one of them, brought forward when the service is back.
// The row says when; a job only wakes somebody.

import { Prisma } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { OUTAGE_KINDS } from '../../platform/errors';
import { joinCopies, paymentKey } from './check-notifications';
import { LEASE_MS, type IncomingNotification, type OpenNotifications } from './inbox-store';

export type Generation = IncomingNotification['generation'];

/** How many copies of one notification an attempt takes up. */
const MOST_COPIES = 1000;
/** Rows of one statement. */
const PAGE = 1000;

const WAITS_FOR_SERVICE = Prisma.raw(
  `outcome = 'queued' and reason in (${OUTAGE_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
);
const NOT_PACED = Prisma.raw(`reason is distinct from 'paced'`);

/**
 * Claims payments whose next attempt is due, the longest due first, each with all of its open notifications. Nobody else
 * gets them before the lease is over, which is also their next attempt if this process dies.
 */
export function claimDue(
  context: Context,
  generation: Generation,
  limit: number,
): Promise<OpenNotifications[]> {
  const which = Prisma.sql`generation = ${generation}::generation and ${NOT_PACED}
    and next_attempt_at <= ${context.clock.now()}::timestamptz`;
  return claim(context, DUE, which, limit);
}

/** The same for those that are paced, of both generations. */
export function claimPaced(context: Context, limit: number): Promise<OpenNotifications[]> {
  const which = Prisma.sql`reason = 'paced' and next_attempt_at <= ${context.clock.now()}::timestamptz`;
  return claim(context, PACED, which, limit);
}

/** One payment that waits for the service, before its time: the one that is due next, so that they take turns. */
export async function claimProbe(
  context: Context,
  generation: Generation,
): Promise<OpenNotifications | null> {
  const which = Prisma.sql`generation = ${generation}::generation and ${NOT_PACED}
    and next_attempt_at is not null and ${WAITS_FOR_SERVICE}`;
  const [claimed = null] = await claim(context, PROBE, which, 1);
  return claimed;
}

const DUE = Prisma.raw('/* claim-due-notifications */');
const PACED = Prisma.raw('/* claim-paced-notifications */');
const PROBE = Prisma.raw('/* claim-probe-notification */');

type ClaimedRow = Omit<OpenNotifications, 'ids'> & { id: bigint };

/**
 * Rows that others have locked are left to them: two processes share what is due, and wait for nothing. A claimed row says
 * so: it does not wait for the service, and is not brought forward while it is checked. Copies are of one generation: the
 * newer one answers for an order, whose payment may be another one (§9).
 */
async function claim(
  { database, clock }: Context,
  name: Prisma.Sql,
  which: Prisma.Sql,
  limit: number,
): Promise<OpenNotifications[]> {
  const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
  const rows = await database.$queryRaw<ClaimedRow[]>`${name}
    with due as materialized (
      select svc_uid, merchant_uid, generation from notifications where ${which}
      order by next_attempt_at limit ${limit} for update skip locked
    ), copies as materialized (
      select copy.id from (select distinct svc_uid, merchant_uid, generation from due) payment
      cross join lateral (
        select id from notifications n
        where n.svc_uid = payment.svc_uid and n.merchant_uid = payment.merchant_uid and n.next_attempt_at is not null
          and n.generation = payment.generation
        order by id limit ${MOST_COPIES} for update skip locked) copy
    )
    update notifications n set next_attempt_at = ${leaseUntil}::timestamptz, reason = 'claimed'
    from copies where n.id = copies.id
    returning n.id, n.svc_uid as "svcUid", n.merchant_uid as "merchantUid", n.generation::text as generation,
      n.claimed_status as "claimedStatus", n.source_address as "sourceAddress", n.received_at as "receivedAt",
      n.request_id::text as "requestId", n.attempts`;
  const byPayment = new Map<string, OpenNotifications[]>();
  for (const { id, ...row } of rows) {
    const key = paymentKey(row);
    const copies = byPayment.get(key) ?? [];
    byPayment.set(key, copies);
    copies.push({ ...row, ids: [id] });
  }
  return [...byPayment.values()].map(joinCopies);
}

/** When the next attempt of a generation is due; null where nothing is open. What is paced does not count. */
export async function findNextDue({ database }: Context, generation: Generation): Promise<Date | null> {
  const [row] = await database.$queryRaw<{ due: Date | null }[]>`/* next-due-notification */
    select min(next_attempt_at) as due from notifications
    where generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at is not null`;
  return row?.due ?? null;
}

/** Makes due what waits for the service, the oldest first, some rows at a time. Returns how many there were. */
export async function bringForward({ database, clock }: Context, generation: Generation): Promise<number> {
  return database.$executeRaw`/* bring-notifications-forward */
    with waiting as materialized (
      select id from notifications
      where generation = ${generation}::generation and ${NOT_PACED} and ${WAITS_FOR_SERVICE}
        and next_attempt_at > ${clock.now()}::timestamptz
      order by next_attempt_at limit ${PAGE} for update skip locked
    )
    update notifications n set next_attempt_at = n.received_at from waiting where n.id = waiting.id`;
}
