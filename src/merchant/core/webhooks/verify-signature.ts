// Verifies the signature of a notification as Standard Webhooks (https://www.standardwebhooks.com). The document shows no
// signature (§5.8). The service's reference describes it for the present form of the newer generation: `webhook-id`,
// `webhook-timestamp` and `webhook-signature` over `id.timestamp.raw body`.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

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
 * @param now the time of the passed clock; the library would use the machine's, so only its signature is used
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
