// The present form of a notification of the newer generation, from the service's public reference: a type and the ids,
// signed as Standard Webhooks (https://www.standardwebhooks.com). The document shows the older form only (§6.4).

import { createHmac } from 'node:crypto';
import { transactionId, type NotifiedPayment } from './events';

export type SignedBody = {
  type: string;
  timestamp: string;
  data: { storeId: string; paymentId: string; transactionId: string; cancellationId?: string };
};

/** By the status of the older form. */
const TYPES: Record<string, string> = {
  ready: 'Transaction.Ready',
  paid: 'Transaction.Paid',
  virtual_account_issued: 'Transaction.VirtualAccountIssued',
  failed: 'Transaction.Failed',
  cancelled: 'Transaction.Cancelled',
};
const STORE_ID = 'store-sandbox';

/** The type of a notification with this status, in lower case; the status itself if there is none, to send a false one. */
export function notificationType(
  { amount, cancellations }: Pick<NotifiedPayment, 'amount' | 'cancellations'>,
  status: string,
): string {
  const cancelled = cancellations.reduce((sum, each) => sum + each.amount, 0);
  if (status === 'cancelled' && cancelled < amount) return 'Transaction.PartialCancelled';
  return TYPES[status] ?? status;
}

/** @param now UNIX seconds */
export function signedBody(payment: NotifiedPayment, type: string, now: number): SignedBody {
  const number = payment.cancellations.length;
  const hasCancellation = type === 'Transaction.Cancelled' || type === 'Transaction.PartialCancelled';
  return {
    type,
    timestamp: new Date(now * 1000).toISOString(),
    data: {
      storeId: STORE_ID,
      paymentId: payment.merchantUid,
      transactionId: transactionId(payment),
      ...(hasCancellation && { cancellationId: `cancel_${payment.svcUid.replace(/\D/g, '')}_${number}` }),
    },
  };
}

/** What the test button sends in this form: its ids do not exist, as in the older form (§6.3). */
export function signedTestBody(now: number): SignedBody {
  const ids = { paymentId: 'merchant_1234567890', transactionId: 'tx_1234567890' };
  const timestamp = new Date(now * 1000).toISOString();
  return { type: 'Transaction.Paid', timestamp, data: { storeId: STORE_ID, ...ids } };
}

/**
 * @param secret `whsec_` and the key in base64
 * @param id the same for each send of a notification
 * @param sentAt UNIX seconds of this send
 */
export function signatureHeaders(
  secret: string,
  id: string,
  sentAt: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': `v1,${signature}`,
  };
}
