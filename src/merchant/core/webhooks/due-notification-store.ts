// What is open and due in the inbox, over all processes: claimed by one of them, brought forward when the service is back.
// The row says when; a job only wakes somebody.

import { TEST_BUTTON_ADDRESS } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/database';
import { OUTAGE_KINDS } from '../../platform/errors';
import { LEASE_MS, type IncomingNotification, type OpenNotifications } from './inbox-store';

export type Generation = IncomingNotification['generation'];

/** How many copies of one notification an attempt takes up. */
const MOST_COPIES = 1000;
/** Rows of one statement. */
const PAGE = 1000;

const WAITS_FOR_SERVICE = `outcome = 'queued' and reason in (${OUTAGE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const NOT_PACED = `reason is distinct from 'paced'`;

/**
 * Claims payments whose next attempt is due, the longest due first, each with all of its open notifications. Nobody else
 * gets them before the lease is over, which is also their next attempt if this process dies.
 */
export function claimDue(
  context: Context,
  generation: Generation,
  limit: number,
): Promise<OpenNotifications[]> {
  return claim(context, CLAIM_DUE, limit, [context.clock.now(), generation]);
}

const CLAIM_DUE = claimOf(
  'claim-due-notifications',
  `generation = $4::generation and ${NOT_PACED} and next_attempt_at <= $3::timestamptz`,
);

/** The same for those that are paced, of both generations. */
export function claimPaced(context: Context, limit: number): Promise<OpenNotifications[]> {
  return claim(context, CLAIM_PACED, limit, [context.clock.now()]);
}

const CLAIM_PACED = claimOf(
  'claim-paced-notifications',
  `reason = 'paced' and next_attempt_at <= $3::timestamptz`,
);

/** One payment that waits for the service, before its time: the one that is due next, so that they take turns. */
export async function claimProbe(
  context: Context,
  generation: Generation,
): Promise<OpenNotifications | null> {
  const [claimed = null] = await claim(context, CLAIM_PROBE, 1, [generation]);
  return claimed;
}

const CLAIM_PROBE = claimOf(
  'claim-probe-notification',
  `generation = $3::generation and ${NOT_PACED} and next_attempt_at is not null and ${WAITS_FOR_SERVICE}`,
);

/** `pg` reads a bigint as text. */
type ClaimedRow = Omit<OpenNotifications, 'ids'> & { id: string };

/**
 * Rows that others have locked are left to them: two processes share what is due, and wait for nothing. A claimed row says
 * so: it does not wait for the service, and is not brought forward while it is checked. Copies are of one generation: the
 * newer one answers for an order, whose payment may be another one (§9).
 * @param which with `$1` for the end of the lease and `$2` for the limit before its own values
 */
function claimOf(name: string, which: string): Statement {
  const text = `
    with due as materialized (
      select svc_uid, merchant_uid, generation from notifications where ${which}
      order by next_attempt_at limit $2 for update skip locked
    ), copies as materialized (
      select copy.id from (select distinct svc_uid, merchant_uid, generation from due) payment
      cross join lateral (
        select id from notifications n
        where n.svc_uid = payment.svc_uid and n.merchant_uid = payment.merchant_uid and n.next_attempt_at is not null
          and n.generation = payment.generation
        order by id limit ${MOST_COPIES} for update skip locked) copy
    )
    update notifications n set next_attempt_at = $1::timestamptz, reason = 'claimed'
    from copies where n.id = copies.id
    returning n.id, n.svc_uid as "svcUid", n.merchant_uid as "merchantUid", n.generation::text as generation,
      n.claimed_status as "claimedStatus", n.source_address as "sourceAddress", n.received_at as "receivedAt",
      n.request_id::text as "requestId", n.attempts`;
  return { name, text };
}

async function claim(
  { database, clock }: Context,
  statement: Statement,
  limit: number,
  values: readonly unknown[],
): Promise<OpenNotifications[]> {
  const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
  const rows = await database.$prepared<ClaimedRow>(statement, [leaseUntil, limit, ...values]);
  const byPayment = new Map<string, Copy[]>();
  for (const row of rows) {
    const key = `${row.generation} ${row.svcUid} ${row.merchantUid}`;
    const copies = byPayment.get(key) ?? [];
    byPayment.set(key, copies);
    copies.push({ ...row, id: BigInt(row.id) });
  }
  return [...byPayment.values()].map(toOpen);
}

type Copy = Omit<ClaimedRow, 'id'> & { id: bigint };

/**
 * One attempt for all copies: as the newest says, open since the oldest came. One of the service's test button does not
 * speak for the others: it would end as a test what is not one.
 */
function toOpen(copies: Copy[]): OpenNotifications {
  const sorted = copies.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [oldest] = sorted as [Copy];
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
  const [row] = await database.$prepared<{ due: Date | null }>(NEXT_DUE, [generation]);
  return row?.due ?? null;
}

const NEXT_DUE = {
  name: 'next-due-notification',
  text: `
    select min(next_attempt_at) as due from notifications
    where generation = $1::generation and ${NOT_PACED} and next_attempt_at is not null`,
};

/** Makes due what waits for the service, the oldest first, some rows at a time. Returns how many there were. */
export async function bringForward({ database, clock }: Context, generation: Generation): Promise<number> {
  const values = [generation, clock.now(), PAGE];
  const [row] = await database.$prepared<{ count: number }>(BRING_FORWARD, values);
  return row?.count ?? 0;
}

const BRING_FORWARD = {
  name: 'bring-notifications-forward',
  text: `
    with waiting as materialized (
      select id from notifications
      where generation = $1::generation and ${NOT_PACED} and next_attempt_at > $2::timestamptz and ${WAITS_FOR_SERVICE}
      order by next_attempt_at limit $3 for update skip locked
    ), forward as (
      update notifications n set next_attempt_at = n.received_at from waiting where n.id = waiting.id returning n.id
    )
    select count(*)::int as count from forward`,
};
