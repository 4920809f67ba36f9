// A refund of a part as the API description shows it.

import type { z } from 'zod';
import { paymentExample, refundedDiscrepancyExample } from '../payments/payment-examples';
import type { refundDecisionSchema, storedRefundSchema } from './refund-list-schema';
import type { discrepancyRefundSchema, refundSchema } from './refund-schema';

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
    went_back_at: null,
    record: { ...paymentExample.record, status: 'cancelled', cancel_amount: refundExample.amount },
  },
};

export const refundDecisionExample = {
  outcome: 'not_executed',
  note: 'The service’s console shows none',
  by: 'kim',
} satisfies z.input<typeof refundDecisionSchema>;

export const settledRefundExample = {
  id: '17',
  svc_uid: 'svc_20261121a7f3',
  discrepancy_id: null,
  amount: refundExample.amount,
  cancelled_before: 0,
  cancel_reason: refundExample.reason,
  requested_by: null,
  status: 'not_executed',
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-23T02:30:00.000Z',
  resolved_at: '2026-11-23T03:00:00.000Z',
  settled_by: refundDecisionExample.by,
  settle_note: refundDecisionExample.note,
} satisfies z.input<typeof storedRefundSchema>;

export const discrepancyRefundExample = {
  reason: 'The amount was wrong',
  by: 'kim',
} satisfies z.input<typeof discrepancyRefundSchema>;

export const discrepancyRefundedExample = { outcome: 'refunded', discrepancy: refundedDiscrepancyExample };
