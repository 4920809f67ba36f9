// An event as the API description shows it.

import type { z } from 'zod';
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
  id: 'order-1001:1',
  type: 'order.paid',
  timestamp: TIME,
  data: {
    merchant_uid: 'order-1001',
    status: 'paid',
    previous_status: 'open',
    version: 1,
    amount: 12_000,
    currency: 'KRW',
    member_id: 'member-7',
    svc_uid: 'svc_20261121a7f3',
    refunded_amount: 0,
    refund: null,
    subscription_id: null,
  },
  deliveries: [
    { target: 'handler', ...delivered },
    { target: 'url', ...delivered },
  ],
} satisfies z.input<typeof eventSchema>;
