// Orders for operators: the latest change first, where the list of the JSON API begins at the oldest.

import type { OrderStatus } from '../../../generated/prisma/client';
import type { OrderPosition, StoredOrder } from '../../core/orders/order-store';
import type { Context } from '../../platform/context';

export type LatestOrderFilter = {
  merchantUid?: string | undefined;
  status?: OrderStatus | undefined;
  /** Last changed, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The last order of the page before. */
  after?: OrderPosition | undefined;
};

export async function findLatestOrders(
  { database }: Context,
  { merchantUid, status, from, to, after }: LatestOrderFilter,
  take: number,
): Promise<StoredOrder[]> {
  return database.order.findMany({
    where: {
      ...(merchantUid !== undefined && { merchantUid }),
      ...(status !== undefined && { status }),
      updatedAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
      ...(after !== undefined && {
        AND: {
          // The first condition is what an index can begin at.
          updatedAt: { lte: after.updatedAt },
          OR: [{ updatedAt: { lt: after.updatedAt } }, { merchantUid: { lt: after.merchantUid } }],
        },
      }),
    },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
    orderBy: [{ updatedAt: 'desc' }, { merchantUid: 'desc' }],
    take,
  });
}
