// One notification and each attempt to deliver it: what GET /_sandbox/notifications shows.
import type { Generation, PaymentEvent } from './events';

/** Where a notification claims to come from (§6.3). */
export const SOURCES = ['52.78.100.19', '52.78.48.223'] as const;
export const TEST_BUTTON_SOURCE = '52.78.5.241';

export type Notification = {
  id: number;
  event: PaymentEvent | 'test' | 'by_hand';
  generation: Generation;
  svc_uid: string | null;
  url: string;
  source: string;
  content_type: 'json' | 'form';
  /** Under the document's names; the wire carries the live prefix. */
  body: Record<string, string>;
  created_at: number;
  attempts: Attempt[];
  /** UNIX milliseconds of the next send; null when there will be none. */
  next_attempt_ms: number | null;
};

export type Attempt = {
  sent_at: number;
  took_ms: number;
  /** As it was on the wire, under the live name prefix. */
  request: { headers: Record<string, string>; body: string };
  /** Exactly one of the two is set. */
  answer: { status: number; body: string } | null;
  error: string | null;
};
