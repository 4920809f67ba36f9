// An event as the API description shows it.

import type { z } from 'zod';
import { PATH_PARAMETERS } from '../../platform/http/path-parameters';
import type { eventSchema } from './event-schema';

const TIME = '2026-11-21T09:00:02.000Z';
const delivered = {
  state: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  delivered_at: TIME,
  reason: null,
} as const;

export const eventExample = {
  position: '17',
  id: PATH_PARAMETERS.event_id.example,
  type: 'order.paid',
  timestamp: TIME,
  data: {
    merchant_uid: PATH_PARAMETERS.merchant_uid.example,
    status: 'paid',
    previous_status: 'open',
    version: 1,
    amount: 12_000,
    currency: 'KRW',
    member_id: PATH_PARAMETERS.member_id.example,
    svc_uid: PATH_PARAMETERS.svc_uid.example,
    refunded_amount: 0,
    refund: null,
    subscription_id: null,
  },
  deliveries: [
    { target: 'handler', ...delivered },
    { target: 'url', ...delivered },
  ],
} satisfies z.input<typeof eventSchema>;
