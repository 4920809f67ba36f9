// Every attempt to take money for an order, in the database. The only file that touches this table.

import type { ChargeKind, ChargeStatus } from '../../generated/prisma/client';
import type { Database } from '../database';
import { DatabaseFault } from '../errors';

export type ChargeStore = ReturnType<typeof createChargeStore>;

export type NewCharge = {
  id: string;
  merchantUid: string;
  kind: ChargeKind;
  customerUid: string | null;
  /** For a planned one, null otherwise. */
  scheduleAt: Date | null;
};

/** One whose outcome is open. */
export type OpenCharge = NewCharge & {
  status: ChargeStatus;
  /** Where the service has named the payment, and it could not be judged yet. */
  svcUid: string | null;
  lookups: number;
  misses: number;
  startedAt: Date;
};

export type SettledStatus = Exclude<ChargeStatus, 'pending' | 'unknown' | 'planned'>;
type Facts = { svcUid?: string; reason?: string | null };

/** What is asked after by itself. */
const OPEN: ChargeStatus[] = ['pending', 'unknown', 'planned'];
/** What keeps everybody else from charging the order. */
const UNSETTLED: ChargeStatus[] = [...OPEN, 'needs_review'];
const UNIQUE_VIOLATION = '23505';

export function createChargeStore(database: Database) {
  return {
    /**
     * Notes charges before they are asked for: all of them, or none where an order cannot be paid now or has an
     * unsettled charge. The orders are locked for the moment of it, so that whoever has just settled a charge has
     * also moved its order: of two at once, the second sees either the unsettled charge or the paid order.
     */
    async startCharges(charges: readonly NewCharge[], at: Date): Promise<boolean> {
      try {
        const started = await database.$executeRaw`
          with wanted as materialized (
            select * from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as w (
              id text, "merchantUid" text, kind charge_kind, "customerUid" text, "scheduleAt" timestamptz)
          ), payable as materialized (
            select o.merchant_uid from orders o
            where o.merchant_uid in (select "merchantUid" from wanted) and o.status in ('open', 'failed')
            order by o.merchant_uid for update
          )
          insert into charges (id, merchant_uid, kind, customer_uid, schedule_at, status, started_at)
          select id, "merchantUid", kind, "customerUid", "scheduleAt", 'pending', ${at}::timestamptz from wanted
          where (select count(*) from payable) = (select count(*) from wanted)`;
        return started === charges.length;
      } catch (error) {
        if (error instanceof DatabaseFault && error.code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },

    /** Null once it is settled. */
    findOpenCharge: (id: string): Promise<OpenCharge | null> =>
      database.charge.findFirst({ where: { id, status: { in: OPEN } } }),

    /** The charge that keeps others from an order; null where there is none. */
    findUnsettledCharge: (merchantUid: string): Promise<OpenCharge | null> =>
      database.charge.findFirst({ where: { merchantUid, status: { in: UNSETTLED } } }),

    /** Every charge that has to be asked after and may have nobody who does. */
    async findUnresolvedCharges(startedBefore: Date, dueBefore: Date): Promise<string[]> {
      const rows = await database.charge.findMany({
        where: {
          OR: [
            { status: 'unknown' },
            { status: 'pending', startedAt: { lt: startedBefore } },
            { status: 'planned', scheduleAt: { lt: dueBefore } },
          ],
        },
        select: { id: true },
        orderBy: { startedAt: 'asc' },
      });
      return rows.map(({ id }) => id);
    },

    /** Planned payments with a key that wait for their time, or may. */
    findPlannedCharges: (customerUid: string): Promise<OpenCharge[]> =>
      database.charge.findMany({ where: { customerUid, kind: 'schedule', status: { in: OPEN } } }),

    settleCharge: (id: string, status: SettledStatus, at: Date, facts: Facts = {}) =>
      change(id, { status, resolvedAt: at, ...bounded(facts) }),

    markUnknown: (id: string, facts: Facts) => change(id, { status: 'unknown', ...bounded(facts) }),

    /** The service holds the schedule. What was counted on the way is of no more use. */
    markPlanned: (id: string) => change(id, { status: 'planned', reason: null, lookups: 0, misses: 0 }),

    /** One more look that settled nothing; a miss is one that found nothing. */
    noteLookup: (id: string, missed: boolean) =>
      change(id, { lookups: { increment: 1 }, misses: { increment: missed ? 1 : 0 } }),
  };

  /** Unless somebody else has settled it already. */
  async function change(id: string, data: Parameters<typeof database.charge.updateMany>[0]['data']) {
    await database.charge.updateMany({ where: { id, status: { in: OPEN } }, data });
  }
}

function bounded({ reason, ...facts }: Facts): Facts {
  return reason === undefined ? facts : { ...facts, reason: reason?.slice(0, 200) ?? null };
}
