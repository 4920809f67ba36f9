// The signed form of the newer generation, which the document does not show (§5.8): `{type, timestamp, data: {storeId,
// paymentId, transactionId}}`, from the service's reference. It is signed as Standard Webhooks
// (https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp` and `webhook-signature` over
// `id.timestamp.raw body`.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { Notification } from './parse-notification';

/** Five minutes, as the reference says. A resend has the time of its own sending. */
const TOLERANCE_SECONDS = 5 * 60;
const ID = /^[\x21-\x7e]{1,200}$/;
/** UNIX seconds. */
const TIMESTAMP = /^[1-9]\d{0,10}$/;

export class BadSignatureError extends Error {
  override readonly name = 'BadSignatureError';
  /** The body parser keeps the status of an error that `verify` throws. */
  readonly status = 401;
  constructor(readonly reason: 'missing_header' | 'outside_time_window' | 'wrong_signature') {
    super(reason);
  }
}

type Signed = {
  headers: IncomingHttpHeaders;
  /** As it arrived: JSON that is parsed and written again has another signature. */
  rawBody: Buffer;
};

/**
 * A request with one of the three headers claims to be signed, and must have all of them.
 * @param secrets each of them is accepted
 * @param now real time, of the passed clock; the library would use the machine's, so only its signature is used
 * @returns the id of the notification, the same for each of its sends; null if the request claims nothing
 * @throws BadSignatureError
 */
export function verifySignature(
  { headers, rawBody }: Signed,
  secrets: readonly string[],
  now: Date,
): string | null {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers[name]?.toString(),
  );
  if (id === undefined && timestamp === undefined && signatures === undefined) return null;
  if (!id || !timestamp || !signatures || !ID.test(id) || !TIMESTAMP.test(timestamp))
    throw new BadSignatureError('missing_header');
  const sentAt = new Date(Number(timestamp) * 1000);
  if (Math.abs(now.getTime() - sentAt.getTime()) > TOLERANCE_SECONDS * 1000)
    throw new BadSignatureError('outside_time_window');
  const expected = secrets.map((secret) => new Webhook(secret).sign(id, sentAt, rawBody));
  const isGood = signatures.split(' ').some((given) => expected.some((each) => isSame(given, each)));
  if (!isGood) throw new BadSignatureError('wrong_signature');
  return id;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

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

/**
 * `paymentId` is payment_id, and `transactionId` is tx_id. The type takes the place of the status, and is stored as such.
 * @returns `ignored` for a type that says nothing about a payment, null if it is malformed
 */
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
