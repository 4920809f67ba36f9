// Money and cards by day, for the overview. Days are days in Seoul, such as 2026-11-21. Each statement reads the days by an
// index on their time, and PostgreSQL ends one that takes too long (database-session.ts).

import { Prisma } from '../../../../generated/prisma/client';
import { HAS_MOVED, mayBeRefundedSince, PAID_AT, refundParts } from '../../../core/refunds/movement-store';
import type { Context } from '../../../platform/context';
import { DatabaseError } from '../../../platform/errors';

/** More than 60 days in each currency (§2.4) have. */
const MOST_GROUPS = 1000;
/** `query_canceled`. */
const TOOK_TOO_LONG = '57014';

/** `amount` is the sum, in the unit of the currency (§2.4). */
export type MoneyOfDay = { day: string; currency: string; count: number; amount: number };
export type CountOfDay = { day: string; count: number };

export type Days = {
  /** Payments by the day on which they were paid, also those that were refunded later. */
  paid: MoneyOfDay[];
  /** Payments that failed. */
  failed: CountOfDay[];
  /** Refunds by the day on which the service made them, whoever asked for them. */
  refunds: MoneyOfDay[];
  /** Cards that were registered. */
  cards: CountOfDay[];
};

/** Since this time. Null if there are too many to be added up in time. */
export async function readDays({ database }: Context, since: Date): Promise<Days | null> {
  const from = Prisma.sql`${since}::timestamptz`;
  try {
    const [paid, failed, refunds, cards] = await database.$transaction([
      database.$queryRaw<MoneyOfDay[]>`
        select ${dayOf(PAID_AT)} as day, p.currency, count(*)::int as count, sum(p.amount)::float8 as amount
        from payments p where ${PAID_AT} >= ${from} and ${HAS_MOVED} group by 1, 2 limit ${MOST_GROUPS}`,
      database.$queryRaw<CountOfDay[]>`
        select ${dayOf(Prisma.sql`failed_at`)} as day, count(*)::int as count
        from payments where failed_at >= ${from} and status = 'failed' group by 1 limit ${MOST_GROUPS}`,
      database.$queryRaw<MoneyOfDay[]>`
        select ${dayOf(Prisma.sql`refund.at`)} as day, p.currency, count(*)::int as count, sum(refund.amount)::float8 as amount
        from payments p cross join lateral ${refundParts} refund
        where ${mayBeRefundedSince(since)} and refund.at >= ${from} group by 1, 2 limit ${MOST_GROUPS}`,
      database.$queryRaw<CountOfDay[]>`
        select ${dayOf(Prisma.sql`created_at`)} as day,
          count(*) filter (where status in ('active', 'removing', 'removed'))::int as count
        from billing_keys where created_at >= ${from} group by 1 limit ${MOST_GROUPS}`,
    ]);
    return { paid, failed, refunds, cards };
  } catch (error) {
    if (error instanceof DatabaseError && error.code === TOOK_TOO_LONG) return null;
    throw error;
  }
}

const dayOf = (time: Prisma.Sql) => Prisma.sql`to_char(${time} at time zone 'Asia/Seoul', 'YYYY-MM-DD')`;
