// Discrepancies as a list. Rows are in the order in which they were first seen: one that is seen again keeps its place,
// so that pages do not shift while they are read.

import type { DiscrepancyKind } from '../../generated/prisma/client';
import type { Context } from '../context';
import type { Claim } from './claim';
import type { Discrepancy } from './judge-payment';

export type ListedDiscrepancy = Awaited<ReturnType<typeof findDiscrepancies>>[number];

export type DiscrepancyFilter = {
  after?: string | undefined;
  svcUid?: string | undefined;
  merchantUid?: string | undefined;
  kind?: DiscrepancyKind | undefined;
  /** Whether nobody has settled it yet. */
  open?: boolean | undefined;
  /** Last seen, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The newest first. */
export async function findDiscrepancies({ database }: Context, filter: DiscrepancyFilter, take: number) {
  const { after, svcUid, merchantUid, kind, open, from, to } = filter;
  return database.discrepancy.findMany({
    where: {
      ...(after !== undefined && { id: { lt: BigInt(after) } }),
      ...(svcUid !== undefined && { svcUid }),
      ...(merchantUid !== undefined && { merchantUid }),
      ...(kind !== undefined && { kind }),
      ...(open !== undefined && { resolvedAt: open ? null : { not: null } }),
      lastSeenAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
    },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Notes one discrepancy, or that it was seen again. */
export async function saveDiscrepancy(
  { database, clock }: Context,
  { svcUid, merchantUid }: Claim,
  { kind, expected, actual }: Discrepancy,
): Promise<void> {
  const now = clock.now();
  await database.discrepancy.upsert({
    where: { kind_svcUid_merchantUid: { kind, svcUid, merchantUid } },
    create: { kind, svcUid, merchantUid, expected, actual, firstSeenAt: now, lastSeenAt: now },
    update: { expected, actual, timesSeen: { increment: 1 }, lastSeenAt: now, resolvedAt: null },
  });
}
