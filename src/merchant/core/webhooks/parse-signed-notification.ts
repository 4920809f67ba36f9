// Parses the signed form of the newer generation: `{type, timestamp, data: {storeId, paymentId, transactionId}}`, from
// the service's reference. It names the same ids as the form of §6.4: `paymentId` is payment_id, `transactionId` is tx_id.
// Its type takes the place of the status, and is stored as such.

import { z } from 'zod';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { Notification } from './parse-notification';

const DISPUTE_CREATED = 'Transaction.DisputeCreated';

/**
 * The types about a payment. Other types, such as those of billing keys, are ignored; the service may add types at any
 * time. The end of a dispute also leads to a fetch. It does not resolve the discrepancy: the notification does not say
 * who has won.
 */
const PAYMENT_TYPES: readonly string[] = [
  'Transaction.Ready',
  'Transaction.Paid',
  'Transaction.VirtualAccountIssued',
  'Transaction.PartialCancelled',
  'Transaction.Cancelled',
  'Transaction.Failed',
  'Transaction.PayPending',
  'Transaction.CancelPending',
  'Transaction.Confirm',
  DISPUTE_CREATED,
  'Transaction.DisputeResolved',
];

const bodySchema = z.object({ type: z.string() });
const dataSchema = z.object({
  data: z.object({
    paymentId: z.string().refine(isMerchantUid),
    transactionId: z.string().refine(isSvcUid),
  }),
});

/** Whether a body has the signed form. No other form has a type. */
export function hasSignedForm(body: unknown): boolean {
  return bodySchema.safeParse(body).success;
}

/** @returns `ignored` for a type that says nothing about a payment, null if it is malformed */
export function parseSignedNotification(body: unknown): Notification | 'ignored' | null {
  const type = bodySchema.safeParse(body).data?.type;
  if (type === undefined) return null;
  if (!PAYMENT_TYPES.includes(type)) return 'ignored';
  const data = dataSchema.safeParse(body).data?.data;
  if (!data) return null;
  return {
    generation: 'newer',
    svcUid: data.transactionId,
    merchantUid: data.paymentId,
    claimedStatus: type,
  };
}

/** The statuses of the other forms have no dot, so only a signed notification is stored with a type. */
export function isSigned({ claimedStatus }: Pick<Notification, 'claimedStatus'>): boolean {
  return claimedStatus !== null && PAYMENT_TYPES.includes(claimedStatus);
}

export function opensDispute({ claimedStatus }: Notification): boolean {
  return claimedStatus === DISPUTE_CREATED;
}
