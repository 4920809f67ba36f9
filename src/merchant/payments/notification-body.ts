// Reads the body of a notification, of either generation (§6.4), into one shape. Anything else is malformed: unknown
// keys are dropped, and a body that mixes both generations is neither.

import { z } from 'zod';
import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import type { Notification } from './notification';

const svcUid = z.string().refine(isSvcUid);
const merchantUid = z.string().refine(isMerchantUid);
/** Only a hint, so its absence is no reason to turn a notification away. */
const status = z
  .string()
  .max(64)
  .regex(/^[\w-]*$/)
  .optional();

/**
 * @param body the parsed body under the document's own names
 * @returns null where it is malformed
 */
export function parseNotification(body: unknown): Notification | null {
  const fields = z.record(z.string(), z.unknown()).safeParse(body).data;
  if (!fields) return null;
  const legacy = 'svc_uid' in fields || 'merchant_uid' in fields;
  const newer = 'tx_id' in fields || 'payment_id' in fields;
  if (legacy === newer) return null;
  const [svcUidName, merchantUidName] = legacy ? ['svc_uid', 'merchant_uid'] : ['tx_id', 'payment_id'];
  const parsed = z.object({ svcUid, merchantUid, status }).safeParse({
    svcUid: fields[svcUidName],
    merchantUid: fields[merchantUidName],
    status: fields['status'],
  });
  if (!parsed.success) return null;
  return {
    generation: legacy ? 'legacy' : 'newer',
    svcUid: parsed.data.svcUid,
    merchantUid: parsed.data.merchantUid,
    claimedStatus: parsed.data.status ?? null,
  };
}
