// A subscription as the API description shows it: member-7 gets tea every month.

import type { z } from 'zod';
import type { newSubscriptionSchema, subscriptionSchema } from './subscription-schema';

const FIRST_PAYMENT_AT = '2035-01-31T00:00:00.000Z';

export const newSubscriptionExample = {
  subscription_id: 'tea-member-7',
  customer_uid: 'member-7-card-1',
  member_id: 'member-7',
  name: 'Tea of the month',
  amount: 15_000,
  interval: 'month',
  first_payment_at: '2035-01-31T09:00:00+09:00',
} satisfies z.input<typeof newSubscriptionSchema>;

export const subscriptionExample = {
  ...newSubscriptionExample,
  currency: 'KRW',
  first_payment_at: FIRST_PAYMENT_AT,
  status: 'active',
  cycle: 1,
  attempt: 0,
  next_payment_at: FIRST_PAYMENT_AT,
  current_order: {
    merchant_uid: 'tea-member-7-1',
    status: 'open',
    charge: 'scheduled',
  },
  needs_person: null,
  end_reason: null,
  created_at: '2034-12-20T05:00:00.000Z',
  updated_at: '2034-12-20T05:00:01.000Z',
} satisfies z.input<typeof subscriptionSchema>;

export const cancelledSubscriptionExample = {
  ...subscriptionExample,
  status: 'cancelled',
  next_payment_at: null,
  current_order: { ...subscriptionExample.current_order, status: 'closed', charge: 'revoked' },
  end_reason: 'cancelled',
  updated_at: '2035-01-10T05:00:00.000Z',
} satisfies z.input<typeof subscriptionSchema>;
