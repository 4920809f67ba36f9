// Attempts that the polls should have settled by now: the service cannot be asked, or its answer cannot be judged.

import type { BillingKeyIssuance, Charge, Refund } from '../../../generated/prisma/client';
import { findUnresolvedAttempts, type AttemptKind } from '../../core/attempts/attempt-store';
import { STUCK_AFTER_MS } from '../../core/attempts/poll-schedule';
import type { Context } from '../../platform/context';

/** Those that began the longest ago are looked at: at most so many of a kind. */
const MOST = 100;

export async function findStuckCharges(context: Context): Promise<Charge[]> {
  const { ids, before } = await findOld(context, 'charge');
  const rows = await context.database.charge.findMany({
    where: {
      id: { in: ids },
      resolvedAt: null,
      startedAt: { lt: before },
      // What was to be paid just now is not late yet. Of what is to be paid later it is not known whether it is scheduled.
      OR: [{ scheduleAt: null }, { scheduleAt: { lt: before } }, { scheduleAt: { gt: context.clock.now() } }],
    },
  });
  return oldestFirst(rows);
}

export async function findStuckRefunds(context: Context): Promise<Refund[]> {
  const { ids, before } = await findOld(context, 'refund');
  const where = { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } };
  return oldestFirst(await context.database.refund.findMany({ where }));
}

export async function findStuckIssuances(context: Context): Promise<BillingKeyIssuance[]> {
  const { ids, before } = await findOld(context, 'issuance');
  const where = { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } };
  return oldestFirst(await context.database.billingKeyIssuance.findMany({ where }));
}

/** Those whose outcome is not known, some of which may be young. */
async function findOld(context: Context, kind: AttemptKind): Promise<{ ids: string[]; before: Date }> {
  const before = new Date(context.clock.now().getTime() - STUCK_AFTER_MS);
  const ids = await findUnresolvedAttempts(context, kind, { startedBefore: before, dueBefore: before });
  return { ids: ids.slice(0, MOST), before };
}

function oldestFirst<Row extends { startedAt: Date }>(rows: Row[]): Row[] {
  return rows.sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}
