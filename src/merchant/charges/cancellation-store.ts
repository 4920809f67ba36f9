// Every attempt to give money back, in the database. The only file that touches this table.

import type { CancellationStatus } from '../../generated/prisma/client';
import type { Database } from '../database';
import { DatabaseFault } from '../errors';

export type CancellationStore = ReturnType<typeof createCancellationStore>;

export type NewCancellation = {
  svcUid: string;
  amount: number;
  /** `cancel_amount` as it stands in the books; after success it is this and `amount`. */
  cancelledBefore: number;
  reason: string;
};

/** One whose outcome is open. */
export type OpenCancellation = NonNullable<Awaited<ReturnType<CancellationStore['findOpenCancellation']>>>;
export type SettledCancellation = Exclude<CancellationStatus, 'pending' | 'unknown'>;

const OPEN: CancellationStatus[] = ['pending', 'unknown'];
const UNIQUE_VIOLATION = '23505';

export function createCancellationStore(database: Database) {
  return {
    /**
     * Notes a cancellation before it is asked for. Null where the payment has an unsettled one, or is not in the books
     * as the caller has read it: the payment is locked for the moment of it, so of two at once the second sees either.
     */
    async startCancellation(cancellation: NewCancellation, at: Date): Promise<bigint | null> {
      const { svcUid, amount, cancelledBefore, reason } = cancellation;
      try {
        const [started] = await database.$queryRaw<{ id: bigint }[]>`
          with payment as materialized (
            select svc_uid, cancel_amount from payments
            where svc_uid = ${svcUid} and cancel_amount = ${cancelledBefore} for update
          )
          insert into cancellations (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
          select svc_uid, ${amount}, cancel_amount, ${reason}, 'pending', ${at}::timestamptz from payment
          returning id`;
        return started?.id ?? null;
      } catch (error) {
        if (error instanceof DatabaseFault && error.code === UNIQUE_VIOLATION) return null;
        throw error;
      }
    },

    /** Null once it is settled. */
    findOpenCancellation: (id: bigint) =>
      database.cancellation.findFirst({ where: { id, status: { in: OPEN } } }),

    /** The cancellation that keeps others from a payment; null where there is none. */
    findUnsettledCancellation: (svcUid: string) =>
      database.cancellation.findFirst({ where: { svcUid, status: { in: [...OPEN, 'needs_review'] } } }),

    /** Every cancellation whose caller is gone. */
    async findUnresolvedCancellations(startedBefore: Date): Promise<bigint[]> {
      const rows = await database.cancellation.findMany({
        where: { OR: [{ status: 'unknown' }, { status: 'pending', startedAt: { lt: startedBefore } }] },
        select: { id: true },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ id }) => id);
    },

    settleCancellation: (id: bigint, status: SettledCancellation, at: Date, reason: string | null = null) =>
      change(id, { status, resolvedAt: at, reason: reason?.slice(0, 200) ?? null }),

    markUnknown: (id: bigint, reason: string) => change(id, { status: 'unknown', reason }),

    /** One more look that settled nothing; a miss is one that found nothing cancelled. */
    noteLookup: (id: bigint, missed: boolean) =>
      change(id, { lookups: { increment: 1 }, misses: { increment: missed ? 1 : 0 } }),
  };

  /** Unless somebody else has settled it already. */
  async function change(id: bigint, data: Parameters<typeof database.cancellation.updateMany>[0]['data']) {
    await database.cancellation.updateMany({ where: { id, status: { in: OPEN } }, data });
  }
}
