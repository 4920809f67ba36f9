// Parses the body of a notification of either generation (§6.4) into one shape. Unknown keys are dropped. A body that
// mixes the keys of both generations is malformed.

import { z } from 'zod';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { ReportedIds } from '../payments/fetch-payment';

/**
 * The ids of both generations under the legacy names, and the body's status, which is not authoritative. A signed
 * notification has its type there (signed-notification.ts).
 */
export type Notification = ReportedIds & {
  generation: 'legacy' | 'newer';
  claimedStatus: string | null;
};

const bodySchema = z.record(z.string(), z.unknown());
const notificationSchema = z.object({
  svcUid: z.string().refine(isSvcUid),
  merchantUid: z.string().refine(isMerchantUid),
  /** Optional, because it is only a hint. */
  status: z
    .string()
    .max(64)
    .regex(/^[\w-]*$/)
    .optional(),
});

/**
 * @param body the parsed body under the document's own names
 * @returns null if it is malformed
 */
export function parseNotification(body: unknown): Notification | null {
  const fields = bodySchema.safeParse(body).data;
  if (!fields) return null;
  const isLegacy = 'svc_uid' in fields || 'merchant_uid' in fields;
  const isNewer = 'tx_id' in fields || 'payment_id' in fields;
  if (isLegacy === isNewer) return null;
  const [svcUidName, merchantUidName] = isLegacy ? ['svc_uid', 'merchant_uid'] : ['tx_id', 'payment_id'];
  const parsed = notificationSchema.safeParse({
    svcUid: fields[svcUidName],
    merchantUid: fields[merchantUidName],
    status: fields['status'],
  });
  if (!parsed.success) return null;
  return {
    generation: isLegacy ? 'legacy' : 'newer',
    svcUid: parsed.data.svcUid,
    merchantUid: parsed.data.merchantUid,
    claimedStatus: parsed.data.status ?? null,
  };
}

/** Whether the notification reports a later status than the fetch showed. The service's replicas may lag. */
export function reportsLaterStatus(
  claimedStatus: string | null,
  fetched: keyof typeof STEPS | null,
): boolean {
  if (fetched === null) return false;
  // Case and `_` do not matter (§6.2). The signed form has a type such as Transaction.PartialCancelled.
  const status = (claimedStatus ?? '').toLowerCase().replace(/^transaction\.|_/g, '');
  const step = Object.hasOwn(STEPS, status) ? STEPS[status as keyof typeof STEPS] : 0;
  return step > STEPS[fetched];
}

const STEPS = { ready: 0, failed: 0, paid: 1, partialcancelled: 2, cancelled: 2 };
