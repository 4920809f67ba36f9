// One notification and each attempt to deliver it, as GET /_sandbox/notifications shows them.

import type { Generation, PaymentEvent } from './events';
import type { SignedBody } from './signed-form';

/** The source addresses of §6.3. */
export const SOURCES = ['52.78.100.19', '52.78.48.223'] as const;
export const TEST_BUTTON_SOURCE = '52.78.5.241';

export type Notification = {
  id: number;
  event: PaymentEvent | 'test' | 'by_hand';
  generation: Generation;
  svc_uid: string | null;
  url: string;
  /** The address in X-Forwarded-For. */
  source: string;
  content_type: 'json' | 'form';
  /** Under the document's names. It is sent under the live names. */
  body: Record<string, string> | SignedBody;
  /** The id of the signed form, the same for each send; null in the other forms. */
  webhook_id: string | null;
  created_at: number;
  attempts: Attempt[];
  /** UNIX milliseconds of the next attempt, null if there is none. */
  next_attempt_ms: number | null;
};

export type Attempt = {
  sent_at: number;
  took_ms: number;
  /** As sent, under the live names. */
  request: { headers: Record<string, string>; body: string };
  /** Either `answer` or `error` is null. */
  answer: { status: number; body: string } | null;
  error: string | null;
};
