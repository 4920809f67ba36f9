// What did not fit, as a list. The order is that of the first sight: a row that is seen again keeps its place, so that
// pages do not shift while they are read.

import type { Database } from '../database';
import type { Finding } from './judge-payment';

export type DiscrepancyListStore = ReturnType<typeof createDiscrepancyListStore>;
export type ListedDiscrepancy = Awaited<ReturnType<DiscrepancyListStore['findDiscrepancies']>>[number];

export type DiscrepancyFilter = {
  after?: string | undefined;
  svcUid?: string | undefined;
  merchantUid?: string | undefined;
  kind?: Finding['kind'] | undefined;
  /** Whether nobody has settled it yet. */
  open?: boolean | undefined;
  /** Of the last sight, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

export function createDiscrepancyListStore(database: Database) {
  return {
    /** The newest first. */
    findDiscrepancies: (filter: DiscrepancyFilter, take: number) => {
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
    },
  };
}
