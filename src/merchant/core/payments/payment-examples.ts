// Payments and discrepancies as the API description shows them: order-1001 was paid with the first card of member-7.

import type { z } from 'zod';
import type { resolveSchema } from './discrepancy-schema';

const ids = {
  svc_uid: 'svc_20261121a7f3',
  merchant_uid: 'order-1001',
};
const card = {
  pay_method: 'card',
  pg_provider: 'nice',
  pg_tid: 'nice_mid_20261121a7f3',
  apply_num: '55384589',
  card_name: '현대카드',
  card_number: '4242-42**-****-4242',
  customer_uid: 'member-7-card-1',
};
const money = { amount: 12_000, cancel_amount: 0, currency: 'KRW' };
const PAID_AT = '2026-11-21T09:00:00.000Z';
const PAID_AT_SECONDS = Date.parse(PAID_AT) / 1000;

/** The record is shortened. */
export const paymentExample = {
  ...ids,
  status: 'paid',
  ...money,
  ...card,
  fail_reason: null,
  cancel_reason: null,
  receipt_url: 'https://receipt.example/svc_20261121a7f3',
  started_at: PAID_AT,
  paid_at: PAID_AT,
  failed_at: null,
  cancelled_at: null,
  vbank_code: null,
  vbank_name: null,
  vbank_num: null,
  vbank_holder: null,
  vbank_date: null,
  counted: true,
  fetched_at: '2026-11-21T09:00:01.204Z',
  went_back_at: null,
  record: {
    ...ids,
    status: 'paid',
    amount: 12_000,
    card_code: '367',
    card_type: '0',
    paid_at: PAID_AT_SECONDS,
  },
};

/** The same payment as the service lists it, shortened. */
export const servicePaymentPageExample = {
  total: 1,
  previous: 0,
  next: 0,
  list: [
    {
      ...ids,
      status: 'paid',
      ...money,
      ...card,
      name: 'Green tea',
      started_at: PAID_AT_SECONDS,
      paid_at: PAID_AT_SECONDS,
      failed_at: 0,
      cancelled_at: 0,
    },
  ],
  unreadable: [],
};

export const discrepancyExample = {
  id: '17',
  kind: 'amount_mismatch',
  svc_uid: 'svc_20261121b0c4',
  merchant_uid: 'order-1004',
  expected: '12000 KRW',
  actual: '1000 KRW',
  times_seen: 1,
  first_seen_at: '2026-11-21T09:20:00.000Z',
  last_seen_at: '2026-11-21T09:20:00.000Z',
  resolved_at: null,
  resolution: null,
  resolved_by: null,
  resolution_note: null,
};

export const resolveExample = {
  resolution: 'ignored',
  note: 'A try of our own',
  by: 'kim',
} satisfies z.input<typeof resolveSchema>;

const RESOLVED_AT = '2026-11-21T10:00:00.000Z';

export const resolvedExample = {
  ...discrepancyExample,
  resolved_at: RESOLVED_AT,
  resolution: resolveExample.resolution,
  resolved_by: resolveExample.by,
  resolution_note: resolveExample.note,
};

export const refundedDiscrepancyExample = {
  ...resolvedExample,
  resolution: 'refunded',
  resolution_note: 'The amount was wrong',
};
