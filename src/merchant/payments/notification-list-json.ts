// A stored notification as the merchant's own systems see it (contract §4).

import { z } from 'zod';
import type { ListedNotification } from './notification-list-store';

const time = z.iso.datetime();

export const notificationOutcomes = z.enum([
  'recorded',
  'unchanged',
  'test',
  'queued',
  'amount_mismatch',
  'currency_mismatch',
  'order_mismatch',
  'unknown_order',
  'unknown_payment',
]);

export const notificationSchema = z
  .strictObject({
    id: z.string(),
    received_at: time,
    generation: z.enum(['legacy', 'newer']),
    svc_uid: z.string().meta({ description: 'As claimed; tx_id of the newer generation.' }),
    merchant_uid: z.string().meta({ description: 'As claimed; payment_id of the newer generation.' }),
    claimed_status: z.string().nullable().meta({ description: 'A hint that nobody believes.' }),
    source_address: z.string(),
    outcome: notificationOutcomes.nullable().meta({ description: 'Null until judged.' }),
    reason: z.string().nullable().meta({ description: 'Why it is queued.' }),
    checks: z.int().min(0),
    judged_at: time.nullable(),
    next_check_at: time.nullable().meta({ description: 'Null when nothing is left to check.' }),
  })
  .meta({ id: 'Notification', description: 'A notification that was let in (§6).' });

export const notificationListSchema = z
  .strictObject({
    list: z.array(notificationSchema),
    next: z.string().nullable().meta({ description: '`after` of the next page; null on the last.' }),
  })
  .meta({ id: 'NotificationList' });

export function notificationJson(row: ListedNotification): z.output<typeof notificationSchema> {
  return {
    id: String(row.id),
    received_at: row.receivedAt.toISOString(),
    generation: row.generation,
    svc_uid: row.svcUid,
    merchant_uid: row.merchantUid,
    claimed_status: row.claimedStatus,
    source_address: row.sourceAddress,
    outcome: row.outcome,
    reason: row.reason,
    checks: row.checks,
    judged_at: row.judgedAt?.toISOString() ?? null,
    next_check_at: row.nextCheckAt?.toISOString() ?? null,
  };
}
