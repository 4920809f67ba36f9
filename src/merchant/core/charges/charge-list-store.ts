// Charges as a list, the newest first. Their ids are random, so a page begins after a time and an id.

import type { Charge, ChargeStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { findStuckAttempts } from '../attempts/attempt-store';

export type ChargeFilter = {
  after?: ChargePosition | undefined;
  merchantUid?: string | undefined;
  svcUid?: string | undefined;
  customerUid?: string | undefined;
  status?: ChargeStatus | undefined;
  /** Whether only a person can settle it. */
  needsPerson?: boolean | undefined;
};

/** Where a charge stands in the list. */
export type ChargePosition = { startedAt: Date; id: string };

/** The newest first. */
export async function findCharges(
  { database }: Context,
  { after, merchantUid, svcUid, customerUid, status, needsPerson }: ChargeFilter,
  take: number,
): Promise<Charge[]> {
  return database.charge.findMany({
    where: {
      // The first condition is what an index can begin at.
      ...(after && {
        startedAt: { lte: after.startedAt },
        OR: [{ startedAt: { lt: after.startedAt } }, { id: { lt: after.id } }],
      }),
      ...(merchantUid !== undefined && { merchantUid }),
      ...(svcUid !== undefined && { svcUid }),
      ...(customerUid !== undefined && { customerUid }),
      ...(status !== undefined && { status }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? 'needs_review' : { not: 'needs_review' } },
      }),
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** Those whose outcome the polls should have found by now, the oldest first. */
export async function findStuckCharges(context: Context): Promise<Charge[]> {
  const { ids, before } = await findStuckAttempts(context, 'charge');
  return context.database.charge.findMany({
    where: {
      id: { in: ids },
      resolvedAt: null,
      startedAt: { lt: before },
      // What was to be paid just now is not late yet. Of what is to be paid later it is not known whether it is scheduled.
      OR: [{ scheduleAt: null }, { scheduleAt: { lt: before } }, { scheduleAt: { gt: context.clock.now() } }],
    },
    orderBy: { startedAt: 'asc' },
  });
}
