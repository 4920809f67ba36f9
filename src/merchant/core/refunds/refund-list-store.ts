// Refunds as a list, the newest first.

import type { Refund, RefundStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { findStuckAttempts } from '../attempts/attempt-store';

export type RefundFilter = {
  after?: string | undefined;
  svcUid?: string | undefined;
  status?: RefundStatus | undefined;
  /** Whether only a person can settle it. */
  needsPerson?: boolean | undefined;
};

/** The newest first. */
export async function findRefunds(
  { database }: Context,
  { after, svcUid, status, needsPerson }: RefundFilter,
  take: number,
): Promise<Refund[]> {
  return database.refund.findMany({
    where: {
      ...(after !== undefined && { id: { lt: BigInt(after) } }),
      ...(svcUid !== undefined && { svcUid }),
      ...(status !== undefined && { status }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? 'needs_review' : { not: 'needs_review' } },
      }),
    },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Those whose outcome the polls should have found by now, the oldest first. */
export async function findStuckRefunds(context: Context): Promise<Refund[]> {
  const { ids, before } = await findStuckAttempts(context, 'refund');
  return context.database.refund.findMany({
    where: { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } },
    orderBy: { startedAt: 'asc' },
  });
}
