// Open and due notifications in the inbox, shared by all processes: leasing them, and bringing them forward when the
// service is back. The rows say when they are due; a job only triggers the work.

import { Prisma } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { OUTAGE_KINDS } from '../../platform/errors';
import { joinCopies, paymentKey } from './check-notifications';
import { LEASE_MS, type IncomingNotification, type OpenNotifications } from './inbox-store';

export type Generation = IncomingNotification['generation'];

/** Maximum number of copies of one notification that one attempt checks. */
const MOST_COPIES = 1000;
/** Maximum number of rows per statement. */
const PAGE = 1000;

const WAITS_FOR_SERVICE = Prisma.raw(
  `outcome = 'queued' and reason in (${[...OUTAGE_KINDS].map((kind) => `'${kind}'`).join(', ')})`,
);
const NOT_PACED = Prisma.raw(`reason is distinct from 'paced'`);

/**
 * Claims payments whose next attempt is due, the longest overdue first, each with all of its open notifications. No
 * other process can claim them before the lease ends. If this process dies, the end of the lease is also the time of
 * their next attempt.
 */
export function claimDue(
  context: Context,
  generation: Generation,
  limit: number,
): Promise<OpenNotifications[]> {
  const which = Prisma.sql`generation = ${generation}::generation and ${NOT_PACED}
    and next_attempt_at <= ${context.realClock.now()}::timestamptz`;
  return claim(context, DUE, which, limit);
}

/** The same for paced notifications, of both generations. */
export function claimPaced(context: Context, limit: number): Promise<OpenNotifications[]> {
  const which = Prisma.sql`reason = 'paced' and next_attempt_at <= ${context.realClock.now()}::timestamptz`;
  return claim(context, PACED, which, limit);
}

/**
 * Claims one payment that waits for the service before it is due: the one that is due next, so that probes take turns.
 * Null if none waits.
 */
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
 * Skips rows that another process has locked, so that processes share the due rows without waiting. The reason of a
 * claimed row changes to `claimed`, so that it is not brought forward while it is checked. Copies are of one
 * generation, because the newer one answers for an order, whose payment may be a different one (§9).
 */
async function claim(
  { database, realClock }: Context,
  name: Prisma.Sql,
  which: Prisma.Sql,
  limit: number,
): Promise<OpenNotifications[]> {
  const leaseUntil = new Date(realClock.now().getTime() + LEASE_MS);
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

/** When the next attempt of a generation is due; null if nothing is open. Paced notifications do not count. */
export async function findNextDue({ database }: Context, generation: Generation): Promise<Date | null> {
  const [row] = await database.$queryRaw<{ due: Date | null }[]>`/* next-due-notification */
    select min(next_attempt_at) as due from notifications
    where generation = ${generation}::generation and ${NOT_PACED} and next_attempt_at is not null`;
  return row?.due ?? null;
}

/**
 * Makes notifications that wait for the service due now, the oldest first, at most PAGE rows. Returns the number of
 * rows.
 */
export async function bringForward(
  { database, realClock }: Context,
  generation: Generation,
): Promise<number> {
  const now = realClock.now();
  return database.$executeRaw`/* bring-notifications-forward */
    with waiting as materialized (
      select id from notifications
      where generation = ${generation}::generation and ${NOT_PACED} and ${WAITS_FOR_SERVICE}
        and next_attempt_at > ${now}::timestamptz
      order by next_attempt_at limit ${PAGE} for update skip locked
    )
    update notifications n set next_attempt_at = least(n.received_at, ${now}::timestamptz) from waiting where n.id = waiting.id`;
}
