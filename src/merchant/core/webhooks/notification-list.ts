// GET /api/notifications: received notifications and their outcomes, the newest first.

import { z } from 'zod';
import { Generation, NotificationOutcome, type Notification } from '../../../generated/prisma/client';
import type { ApiRoute } from '../../platform/http/api-route';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { flag, isoTime, ofOrder, ofPayment } from '../../platform/http/query';
import { findNotifications } from './notification-list-store';

const time = z.iso.datetime();

const notificationSchema = z
  .strictObject({
    id: z.string(),
    received_at: time,
    generation: z.enum(Generation),
    svc_uid: z.string().meta({ description: 'As reported; tx_id of the newer generation.' }),
    merchant_uid: z.string().meta({ description: 'As reported; payment_id of the newer generation.' }),
    claimed_status: z.string().nullable().meta({ description: 'As reported; it decides nothing.' }),
    source_address: z.string(),
    request_id: z.uuid().nullable().meta({
      description: 'X-Request-Id of the request, as in the log; null for old ones.',
    }),
    outcome: z.enum(NotificationOutcome).nullable().meta({ description: 'Null until checked.' }),
    reason: z.string().nullable().meta({ description: 'Why it is queued.' }),
    attempts: z.int().min(0),
    judged_at: time.nullable(),
    next_attempt_at: time.nullable().meta({ description: 'Null when nothing is left to check.' }),
  })
  .meta({ id: 'Notification', description: 'An accepted notification (§6).' });

function notificationJson(row: Notification): z.output<typeof notificationSchema> {
  return {
    id: String(row.id),
    received_at: row.receivedAt.toISOString(),
    generation: row.generation,
    svc_uid: row.svcUid,
    merchant_uid: row.merchantUid,
    claimed_status: row.claimedStatus,
    source_address: row.sourceAddress,
    request_id: row.requestId,
    outcome: row.outcome,
    reason: row.reason,
    attempts: row.attempts,
    judged_at: row.judgedAt?.toISOString() ?? null,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  };
}

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
  json: notificationJson,
});

const notificationExample = {
  id: '42',
  received_at: '2026-11-21T09:00:00.980Z',
  generation: 'legacy',
  svc_uid: 'svc_20261121a7f3',
  merchant_uid: 'order-1001',
  claimed_status: 'paid',
  source_address: '52.78.100.19',
  request_id: '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77',
  outcome: 'recorded',
  reason: null,
  attempts: 1,
  judged_at: '2026-11-21T09:00:01.204Z',
  next_attempt_at: null,
} satisfies z.input<typeof notificationSchema>;

export const notificationRoutes: ApiRoute[] = [
  listRoute(notificationList, {
    path: '/api/notifications',
    summary: 'Received notifications, newest first',
    id: 'NotificationList',
    item: notificationSchema,
    example: notificationExample,
  }),
];
