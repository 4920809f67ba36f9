// The sweep's rows: how far it came, what it could not repair; and the comparison of a page with the books.

import type { Database } from '../database';
import type { Claim } from '../payments/judge-payment';
import type { ListedPayment } from './listed-payments';
import type { SweptList, Unrepaired } from './sweep-report';
import type { Position } from './windows';

export type SweepStore = ReturnType<typeof createSweepStore>;

/** A payment that the service lists otherwise than our books have it. */
export type Difference = Claim & {
  /** What the list said, as text. */
  listed: string;
  /** `version` of the order at the time of the comparison; null where there is no order. */
  orderVersion: number | null;
  /** What earlier looks at it led to; null where there was none. */
  earlier: {
    outcome: Unrepaired['outcome'];
    reason: string | null;
    checks: number;
    firstSeenAt: Date;
  } | null;
  /** The list and the order are as they were then: another look would find the same again. */
  unchanged: boolean;
};

type DifferenceRow = {
  svc_uid: string;
  merchant_uid: string;
  listed: string;
  order_version: number | null;
  outcome: Unrepaired['outcome'] | null;
  reason: string | null;
  checks: number | null;
  first_seen_at: Date | null;
  unchanged: boolean | null;
};

export function createSweepStore(database: Database) {
  return {
    findPosition: (list: SweptList): Promise<Position | null> =>
      database.sweepPosition.findUnique({ where: { list }, select: { sweptTo: true, lookedBackAt: true } }),

    async savePosition(list: SweptList, position: Position): Promise<void> {
      await database.sweepPosition.upsert({
        where: { list },
        create: { list, ...position },
        update: position,
      });
    },

    /** On the host's clock; null where nothing was ever ordered. */
    async findFirstOrderTime(): Promise<Date | null> {
      const { _min } = await database.order.aggregate({ _min: { createdAt: true } });
      return _min.createdAt;
    },

    /**
     * Those of a page that are not in step with the books: one statement for all of them. Compared is what an order's
     * state is made of; what the list does not say (null) is not compared.
     */
    async compare(listed: readonly ListedPayment[]): Promise<Difference[]> {
      const rows = await database.$queryRaw<DifferenceRow[]>`
        select l.svc_uid, l.merchant_uid, said.listed, o.version as order_version,
          d.outcome, d.reason, d.checks, d.first_seen_at,
          d.listed = said.listed and d.order_version is not distinct from o.version as unchanged
        from rows from (jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as ("svcUid" text, "merchantUid" text,
          "status" text, "amount" bigint, "cancelAmount" bigint, "currency" text))
          as l (svc_uid, merchant_uid, status, amount, cancel_amount, currency)
        cross join lateral (
          select concat_ws(' ', l.merchant_uid, l.status, l.amount, l.cancel_amount, l.currency) as listed) said
        left join payments p on p.svc_uid = l.svc_uid
        left join orders o on o.merchant_uid = l.merchant_uid
        left join sweep_differences d on d.svc_uid = l.svc_uid
        where p.svc_uid is null or p.merchant_uid <> l.merchant_uid or p.status::text <> l.status
          or p.amount <> l.amount or p.cancel_amount <> l.cancel_amount or p.currency <> l.currency`;
      return rows.map(toDifference);
    },

    /** Differences of earlier sweeps whose next look is due, or whose order has changed since. */
    async findDue(now: Date): Promise<Difference[]> {
      const rows = await database.$queryRaw<DifferenceRow[]>`
        select d.svc_uid, d.merchant_uid, d.listed, o.version as order_version, d.outcome, d.reason, d.checks,
          d.first_seen_at, false as unchanged
        from sweep_differences d left join orders o on o.merchant_uid = d.merchant_uid
        where d.next_check_at <= ${now} or o.version is distinct from d.order_version
        order by d.first_seen_at
        limit 10000`;
      return rows.map(toDifference);
    },

    async saveDifference(difference: Difference, found: Found): Promise<void> {
      const { svcUid, merchantUid, listed, orderVersion } = difference;
      const row = { merchantUid, listed, orderVersion, ...found };
      await database.sweepDifference.upsert({
        where: { svcUid },
        create: { svcUid, ...row },
        update: row,
      });
    },

    /** It is in step by now. */
    async forgetDifference(svcUid: string): Promise<void> {
      await database.sweepDifference.deleteMany({ where: { svcUid } });
    },
  };
}

type Found = {
  outcome: Unrepaired['outcome'];
  reason: string | null;
  checks: number;
  firstSeenAt: Date;
  nextCheckAt: Date | null;
};

function toDifference(row: DifferenceRow): Difference {
  const { outcome, reason, checks, first_seen_at: firstSeenAt } = row;
  return {
    svcUid: row.svc_uid,
    merchantUid: row.merchant_uid,
    listed: row.listed,
    orderVersion: row.order_version,
    earlier:
      outcome === null || firstSeenAt === null ? null : { outcome, reason, checks: checks ?? 1, firstSeenAt },
    unchanged: row.unchanged ?? false,
  };
}
