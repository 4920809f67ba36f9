// Sums of the ledger, of the whole period: by day, and by month, method of payment and PG, with what settlement files say.

import { Prisma } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { movementsBetween, type LedgerFilter } from './ledger-store';

/** Amounts are signed: `refunded` is not positive. */
export type DaySum = { day: string; currency: string; paid: number; refunded: number };

export type Total = {
  /** In Seoul, such as 2026-11. */
  month: string;
  currency: string;
  payMethod: string | null;
  pgProvider: string | null;
  payments: number;
  paid: number;
  refunds: number;
  refunded: number;
  taxFree: number;
  vat: number;
  /** Refunds whose part without tax is not known: neither `taxFree` nor `vat` has them. */
  undivided: number;
  /** What settlement files have named: its amount, and the fees kept of it. */
  settled: number;
  fee: number;
  /** What no settlement file has named. */
  unsettled: number;
};

export type Sums = { days: DaySum[]; totals: Total[] };

/** More than the days, methods and PGs of the longest period in the currencies of §2.4. */
const MOST_SUMS = 1000;

type SumRow = Total & { day: string | null };

export async function sumMovements({ database }: Context, filter: LedgerFilter): Promise<Sums> {
  const sum = (value: Prisma.Sql) => Prisma.sql`coalesce(sum(${value}), 0)::float8`;
  const rows = await database.$queryRaw<SumRow[]>`
    select day, month, currency, "payMethod", "pgProvider",
      count(*) filter (where kind = 'payment')::int as payments,
      coalesce(sum(amount) filter (where kind = 'payment'), 0)::float8 as paid,
      count(*) filter (where kind = 'refund')::int as refunds,
      coalesce(sum(amount) filter (where kind = 'refund'), 0)::float8 as refunded,
      ${sum(Prisma.sql`"taxFree"`)} as "taxFree", ${sum(Prisma.sql`vat`)} as vat,
      count(*) filter (where "taxFree" is null)::int as undivided,
      coalesce(sum(amount) filter (where fee is not null), 0)::float8 as settled, ${sum(Prisma.sql`fee`)} as fee,
      coalesce(sum(amount) filter (where fee is null), 0)::float8 as unsettled
    from (
      select movements.*, to_char(at at time zone 'Asia/Seoul', 'YYYY-MM-DD') as day,
        to_char(at at time zone 'Asia/Seoul', 'YYYY-MM') as month
      from (${movementsBetween(filter)}) movements
    ) movements
    group by grouping sets ((day, currency), (month, currency, "payMethod", "pgProvider"))
    order by month, day, currency, "payMethod", "pgProvider" limit ${MOST_SUMS}`;
  return {
    days: rows.flatMap(({ day, currency, paid, refunded }) =>
      day === null ? [] : [{ day, currency, paid, refunded }],
    ),
    totals: rows.flatMap(({ day, ...total }) => (day === null ? [total] : [])),
  };
}
