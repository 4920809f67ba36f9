// GET /api/notifications: what was received, the newest first, and what became of it.

import { z } from 'zod';
import type { Context } from '../../platform/context';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import {
  flag,
  isoTime,
  keysetPage,
  keysetQuery,
  ofOrder,
  ofPayment,
  toPeriod,
} from '../../platform/http/query';
import { findNotifications } from './notification-list-store';
import { notificationOutcomes } from './notification-outcomes';
import { notificationExample, notificationJson, notificationListSchema } from './notification-schema';

export const notificationsQuery = z.object({
  svc_uid: ofPayment,
  merchant_uid: ofOrder,
  outcome: z.enum(notificationOutcomes).optional(),
  open: flag.optional().meta({ description: 'Whether something is left to check.' }),
  from: isoTime.optional().meta({ description: 'Received at or after this time.' }),
  to: isoTime.optional().meta({ description: 'Received at or before this time.' }),
  ...keysetQuery,
});

export const notificationRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/notifications',
    summary: 'What was received, the newest first',
    query: notificationsQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: notificationListSchema,
        example: { list: [notificationExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listNotifications(context, query) }),
  }),
];

export async function listNotifications(context: Context, query: z.output<typeof notificationsQuery>) {
  const { after, svc_uid: svcUid, merchant_uid: merchantUid, outcome, open, limit } = query;
  const filter = { after, svcUid, merchantUid, outcome, open, ...toPeriod(query) };
  const { page, next } = keysetPage(await findNotifications(context, filter, limit + 1), limit);
  return { list: page.map(notificationJson), next };
}
