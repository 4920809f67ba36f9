// Due notifications of the inbox, which the processes share by claiming them. The rows say when they are due; a job only
// triggers the work.

import type { Context } from '../../platform/context';
import { joinCopies, paymentKey } from './check-notifications';
import { LEASE_MS, type IncomingNotification, type OpenNotifications } from './inbox-store';

export type Generation = IncomingNotification['generation'];

/** Maximum number of copies of one notification that one attempt checks. */
const MOST_COPIES = 1000;

type ClaimedRow = Omit<OpenNotifications, 'ids'> & { id: bigint };

/**
 * Claims payments whose next attempt is due, the longest overdue first, each with all of its open notifications. No
 * other process can claim them before the lease ends. If this process dies, the end of the lease is also the time of
 * their next attempt. Skips rows that another process has locked, so that processes share the due rows without waiting.
 * Copies are of one generation, because the newer one answers for an order, whose payment may be a different one (§9).
 */
export async function claimDue(
  { database, realClock }: Context,
  generation: Generation,
  limit: number,
): Promise<OpenNotifications[]> {
  const now = realClock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const rows = await database.$queryRaw<ClaimedRow[]>`/* claim-due-notifications */
    with due as materialized (
      select svc_uid, merchant_uid, generation from notifications
      where generation = ${generation}::generation and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${limit} for update skip locked
    ), copies as materialized (
      select copy.id from (select distinct svc_uid, merchant_uid, generation from due) payment
      cross join lateral (
        select id from notifications n
        where n.svc_uid = payment.svc_uid and n.merchant_uid = payment.merchant_uid and n.next_attempt_at is not null
          and n.generation = payment.generation
        order by id limit ${MOST_COPIES} for update skip locked) copy
    )
    update notifications n set next_attempt_at = ${leaseUntil}::timestamptz
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
