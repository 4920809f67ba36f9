// Counts by day, for the overview. Each statement uses an index on time and counts a limited number of rows.

import type { NotificationOutcome, OrderStatus } from '../../../generated/prisma/client';
import { receivedSince } from '../../core/webhooks/notification-list-store';
import type { Context } from '../../platform/context';

/** Counting stops here. */
const MOST_ROWS = 50_000;

export type OrdersOfDay = {
  day: string;
  status: OrderStatus;
  currency: string;
  number: number;
  amount: number;
};
export type NotificationsOfDay = { day: string; outcome: NotificationOutcome | null; number: number };

/**
 * Orders by the day of their last change and by their current status. Days are days in Seoul, such as 2026-11-21.
 * Leaves out orders without a payment or a try.
 */
export async function countOrdersByDay({ database }: Context, from: Date): Promise<OrdersOfDay[]> {
  return database.$queryRaw<OrdersOfDay[]>`
    select to_char(updated_at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as day, status::text as status, currency,
      count(*)::int as number, sum(amount)::float8 as amount
    from (
      select updated_at, status, currency, amount from orders where updated_at >= ${from}::timestamptz
      order by updated_at desc limit ${MOST_ROWS}) latest
    where status not in ('open', 'closed')
    group by 1, 2, 3 order by 1, 2, 3`;
}

/** `from`, `to`: days in Seoul; `to` is null for open discrepancies. */
export type OpenPeriod = { from: string; to: string | null; number: number };

/**
 * The periods in which discrepancies were open: those open now, and those resolved after `since`. Periods begin at
 * `since` at the earliest. A discrepancy seen again after it was resolved counts as open since it was first seen.
 */
export async function countOpenPeriods({ database }: Context, since: Date): Promise<OpenPeriod[]> {
  return database.$queryRaw<OpenPeriod[]>`
    select to_char(greatest(first_seen_at, ${since}::timestamptz) at time zone 'Asia/Seoul', 'YYYY-MM-DD') as "from",
      to_char(resolved_at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as "to", count(*)::int as number
    from (
      (select first_seen_at, resolved_at from discrepancies where resolved_at is null order by id desc limit ${MOST_ROWS})
      union all
      (select first_seen_at, resolved_at from discrepancies where resolved_at >= ${since}::timestamptz
        order by resolved_at desc limit ${MOST_ROWS})) open
    group by 1, 2`;
}

export async function countNotificationsByDay(
  { database }: Context,
  from: Date,
): Promise<NotificationsOfDay[]> {
  return database.$queryRaw<NotificationsOfDay[]>`
    select to_char(received_at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as day, outcome::text as outcome,
      count(*)::int as number
    from (
      select received_at, outcome from notifications where ${receivedSince(from)}
      order by id desc limit ${MOST_ROWS}) latest
    group by 1, 2 order by 1, 2`;
}
