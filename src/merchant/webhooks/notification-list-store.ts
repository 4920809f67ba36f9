// Notifications as a list. A page is one walk along the primary key, however many rows lie before it.

import type { Notification, NotificationOutcome } from '../../generated/prisma/client';
import type { Context } from '../context';

export type NotificationFilter = {
  after?: string | undefined;
  svcUid?: string | undefined;
  merchantUid?: string | undefined;
  outcome?: NotificationOutcome | undefined;
  /** Whether something is left to check. */
  open?: boolean | undefined;
  /** Received, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The newest first. */
export async function findNotifications(
  { database }: Context,
  filter: NotificationFilter,
  take: number,
): Promise<Notification[]> {
  const { after, svcUid, merchantUid, outcome, open, from, to } = filter;
  return database.notification.findMany({
    where: {
      ...(after !== undefined && { id: { lt: BigInt(after) } }),
      ...(svcUid !== undefined && { svcUid }),
      ...(merchantUid !== undefined && { merchantUid }),
      ...(outcome !== undefined && { outcome }),
      ...(open !== undefined && { nextAttemptAt: open ? { not: null } : null }),
      receivedAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
    },
    orderBy: { id: 'desc' },
    take,
  });
}
