// GET /api/notifications: received notifications and their outcomes, the newest first.

import { z } from 'zod';
import { NotificationOutcome, type Notification } from '../../../generated/prisma/client';
import type { ApiRoute } from '../../platform/http/api-route';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { flag, isoTime, ofOrder, ofPayment } from '../../platform/http/query';
import { findNotifications } from './notification-list-store';
import { notificationRow } from './row';

const notificationSchema = z
  .strictObject(notificationRow.shape)
  .meta({ id: 'Notification', description: 'An accepted notification (§6).' });

export const notificationList = defineList({
  filters: {
    svc_uid: ofPayment,
    merchant_uid: ofOrder,
    outcome: z.enum(NotificationOutcome).optional(),
    open: flag.optional().meta({ description: 'Whether something is left to check.' }),
    from: isoTime.optional().meta({ description: 'Received at or after this time.' }),
    to: isoTime.optional().meta({ description: 'Received at or before this time.' }),
  },
  cursor: byId,
  find: findNotifications,
  json: (row: Notification) => notificationRow.json(row),
});

export const notificationRoutes: ApiRoute[] = [
  listRoute(notificationList, {
    path: '/api/notifications',
    summary: 'Received notifications, newest first',
    id: 'NotificationList',
    item: notificationSchema,
    example: notificationRow.example,
  }),
];
