// What was received, as a list: a page is one walk along the primary key, however many rows lie before it.

import type { Database } from '../database';
import type { NotificationOutcome } from './notification';

export type NotificationListStore = ReturnType<typeof createNotificationListStore>;
export type ListedNotification = Awaited<ReturnType<NotificationListStore['findNotifications']>>[number];

export type NotificationFilter = {
  after?: string | undefined;
  svcUid?: string | undefined;
  merchantUid?: string | undefined;
  outcome?: NotificationOutcome | undefined;
  /** Whether something is left to check. */
  open?: boolean | undefined;
  /** Of receipt, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

export function createNotificationListStore(database: Database) {
  return {
    /** The newest first. */
    findNotifications: (filter: NotificationFilter, take: number) => {
      const { after, svcUid, merchantUid, outcome, open, from, to } = filter;
      return database.notification.findMany({
        where: {
          ...(after !== undefined && { id: { lt: BigInt(after) } }),
          ...(svcUid !== undefined && { svcUid }),
          ...(merchantUid !== undefined && { merchantUid }),
          ...(outcome !== undefined && { outcome }),
          ...(open !== undefined && { nextCheckAt: open ? { not: null } : null }),
          receivedAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
        },
        orderBy: { id: 'desc' },
        take,
      });
    },
  };
}
