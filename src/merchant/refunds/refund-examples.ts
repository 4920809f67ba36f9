// A refund of a part as the API description shows it.

import type { z } from 'zod';
import { paymentExample } from '../payments/payment-examples';
import type { refundSchema } from './refund-schema';

export const refundExample = {
  amount: 4_000,
  checksum: 12_000,
  reason: 'One of three was broken',
} satisfies z.input<typeof refundSchema>;

export const refundedExample = {
  outcome: 'cancelled',
  payment: {
    ...paymentExample,
    status: 'cancelled',
    cancel_amount: refundExample.amount,
    cancel_reason: refundExample.reason,
    cancelled_at: '2026-11-23T02:30:00.000Z',
    fetched_at: '2026-11-23T02:30:01.011Z',
    record: { ...paymentExample.record, status: 'cancelled', cancel_amount: refundExample.amount },
  },
};
