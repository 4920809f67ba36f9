// GET /api/notifications: what was received, the newest first, and what came of it.

import express, { type Router } from 'express';
import { z } from 'zod';
import { flag, keysetPage, keysetQuery, parseQuery, toPeriod, unixSeconds } from '../http/query';
import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import {
  notificationJson,
  notificationOutcomes,
  type notificationListSchema,
} from './notification-list-json';
import type { NotificationListStore } from './notification-list-store';

export const notificationsQuery = z.object({
  svc_uid: z.string().refine(isSvcUid, 'is no svc_uid').optional(),
  merchant_uid: z.string().refine(isMerchantUid, 'is no merchant_uid').optional(),
  outcome: notificationOutcomes.optional(),
  open: flag.optional().meta({ description: 'Whether something is left to check.' }),
  from: unixSeconds.optional().meta({ description: 'Received at or after, UNIX seconds.' }),
  to: unixSeconds.optional().meta({ description: 'Received at or before, UNIX seconds.' }),
  ...keysetQuery,
});

export function createNotificationListRoutes(store: NotificationListStore): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/notifications', async (request, response) => {
    const query = parseQuery(notificationsQuery, request);
    const rows = await store.findNotifications(
      {
        after: query.after,
        svcUid: query.svc_uid,
        merchantUid: query.merchant_uid,
        outcome: query.outcome,
        open: query.open,
        ...toPeriod(query),
      },
      query.limit + 1,
    );
    const { page, next } = keysetPage(rows, query.limit);
    response.json({ list: page.map(notificationJson), next } satisfies z.output<
      typeof notificationListSchema
    >);
  });
  return router;
}
