// What happened by day, for the overview. Each statement is bounded by an index on time, and counts no more rows than so
// many.

import type { NotificationOutcome, OrderStatus } from '../../generated/prisma/client';
import type { Context } from '../context';

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
 * Orders by the day of their last change and by their status now. A day is one of Seoul, such as 2026-11-21. Orders that
 * nobody has paid or tried to pay are left out.
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

export async function countNotificationsByDay(
  { database }: Context,
  from: Date,
): Promise<NotificationsOfDay[]> {
  return database.$queryRaw<NotificationsOfDay[]>`
    select to_char(received_at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as day, outcome::text as outcome,
      count(*)::int as number
    from (
      select received_at, outcome from notifications where received_at >= ${from}::timestamptz
      order by received_at desc limit ${MOST_ROWS}) latest
    group by 1, 2 order by 1, 2`;
}
