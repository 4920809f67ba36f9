// Money and cards by day, for the overview. Days are days in Seoul, such as 2026-11-21. Each statement reads the days by an
// index on their time, and PostgreSQL ends one that takes too long (database-session.ts).

import { Prisma } from '../../../../generated/prisma/client';
import { HAS_MOVED, mayBeRefundedSince, PAID_AT, refundParts } from '../../../core/refunds/movement-store';
import type { Context } from '../../../platform/context';
import { DatabaseError } from '../../../platform/errors';
import { IS_REGISTERED } from '../lists/key-list-store';

/** More than the days of the longest period and the one before it have, in each currency (§2.4). */
const MOST_GROUPS = 1000;
/** `query_canceled`. */
const TOOK_TOO_LONG = '57014';

/** `amount` is the sum, in the unit of the currency (§2.4). */
export type MoneyOfDay = { day: string; currency: string; count: number; amount: number };
export type CountOfDay = { day: string; count: number };

export type Days = {
  /** Payments by the day on which they were paid, also those that were refunded later. */
  paid: MoneyOfDay[];
  /** Payments that failed, by the day on which they were stored, as in their list. */
  failed: CountOfDay[];
  /** Refunds by the day on which the service made them, whoever asked for them. */
  refunds: MoneyOfDay[];
  /** Cards that were registered. */
  cards: CountOfDay[];
};

/** From the first day to the last. Null if there are too many to be added up in time. */
export async function readDays(
  { database }: Context,
  { from, to }: { from: Date; to: Date },
): Promise<Days | null> {
  const isWithin = (time: Prisma.Sql) =>
    Prisma.sql`${time} >= ${from}::timestamptz and ${time} < ${to}::timestamptz`;
  try {
    const [paid, failed, refunds, cards] = await database.$transaction([
      database.$queryRaw<MoneyOfDay[]>`
        select ${dayOf(PAID_AT)} as day, p.currency, count(*)::int as count, sum(p.amount)::float8 as amount
        from payments p where ${isWithin(PAID_AT)} and ${HAS_MOVED} group by 1, 2 limit ${MOST_GROUPS}`,
      database.$queryRaw<CountOfDay[]>`
        select ${dayOf(PAID_AT)} as day, count(*)::int as count
        from payments p where p.status = 'failed' and ${isWithin(PAID_AT)} group by 1 limit ${MOST_GROUPS}`,
      database.$queryRaw<MoneyOfDay[]>`
        select ${dayOf(Prisma.sql`refund.at`)} as day, p.currency, count(*)::int as count, sum(refund.amount)::float8 as amount
        from payments p cross join lateral ${refundParts} refund
        where ${mayBeRefundedSince(from)} and ${isWithin(Prisma.sql`refund.at`)} group by 1, 2 limit ${MOST_GROUPS}`,
      database.$queryRaw<CountOfDay[]>`
        select ${dayOf(Prisma.sql`k.created_at`)} as day, count(*) filter (where ${IS_REGISTERED})::int as count
        from billing_keys k where ${isWithin(Prisma.sql`k.created_at`)} group by 1 limit ${MOST_GROUPS}`,
    ]);
    return { paid, failed, refunds, cards };
  } catch (error) {
    if (error instanceof DatabaseError && error.code === TOOK_TOO_LONG) return null;
    throw error;
  }
}

const dayOf = (time: Prisma.Sql) => Prisma.sql`to_char(${time} at time zone 'Asia/Seoul', 'YYYY-MM-DD')`;
