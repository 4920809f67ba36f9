// A stored payment as the merchant's own systems see it, under the document's names.

import { z } from 'zod';
import { columnSchemas, columnsJson } from './payment-columns';
import type { StoredPayment } from './payment-store';

export const paymentSchema = z
  .strictObject({ svc_uid: z.string(), merchant_uid: z.string(), ...columnSchemas })
  .meta({ id: 'Payment', description: 'A payment that was re-fetched from the service and fits its order.' });

export function paymentJson(payment: StoredPayment) {
  return { svc_uid: payment.svcUid, merchant_uid: payment.merchantUid, ...columnsJson(payment) };
}

// The examples tell of order-1001, which was paid with the first card of member-7.
const IDS = {
  svc_uid: 'svc_20261121a7f3',
  merchant_uid: 'order-1001',
};
const CARD = {
  pay_method: 'card',
  pg_provider: 'nice',
  pg_tid: 'nice_mid_20261121a7f3',
  apply_num: '55384589',
  card_name: '현대카드',
  card_number: '4242-42**-****-4242',
  customer_uid: 'member-7-card-1',
};
const MONEY = { amount: 12_000, cancel_amount: 0, currency: 'KRW' };
const PAID_AT = '2026-11-21T09:00:00.000Z';
const PAID_AT_SECONDS = Date.parse(PAID_AT) / 1000;

/** The record is shortened. */
export const paymentExample = {
  ...IDS,
  status: 'paid',
  ...MONEY,
  ...CARD,
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
    ...IDS,
    status: 'paid',
    amount: 12_000,
    card_code: '367',
    card_type: '0',
    paid_at: PAID_AT_SECONDS,
  },
};
