// What did not fit, as the merchant's own systems see it (contract §4).

import { z } from 'zod';
import type { ListedDiscrepancy } from './discrepancy-list-store';

const time = z.iso.datetime();

export const discrepancyKinds = z.enum([
  'amount_mismatch',
  'currency_mismatch',
  'order_mismatch',
  'unknown_order',
  'unknown_payment',
  'duplicate_payment',
  'paid_after_close',
  'status_went_back',
  'foreign_billing_key',
  'needs_review',
]);

export const discrepancySchema = z
  .strictObject({
    id: z.string(),
    kind: discrepancyKinds,
    svc_uid: z.string(),
    merchant_uid: z.string(),
    expected: z.string().nullable().meta({ description: 'What the merchant expected.' }),
    actual: z.string().nullable().meta({ description: 'What the service said.' }),
    times_seen: z.int().min(1),
    first_seen_at: time,
    last_seen_at: time,
    resolved_at: time.nullable().meta({ description: 'Null while nobody has settled it.' }),
  })
  .meta({
    id: 'Discrepancy',
    description: 'Something that was checked and does not fit: one row for one difference.',
  });

export const discrepancyListSchema = z
  .strictObject({
    list: z.array(discrepancySchema),
    next: z.string().nullable().meta({ description: '`after` of the next page; null on the last.' }),
  })
  .meta({ id: 'DiscrepancyList' });

export function discrepancyJson(row: ListedDiscrepancy): z.output<typeof discrepancySchema> {
  return {
    id: String(row.id),
    kind: row.kind,
    svc_uid: row.svcUid,
    merchant_uid: row.merchantUid,
    expected: row.expected,
    actual: row.actual,
    times_seen: row.timesSeen,
    first_seen_at: row.firstSeenAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
  };
}
