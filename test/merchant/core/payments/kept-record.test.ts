// After the erasure of its member, a payment's record keeps only fields that are known not to be personal.

import { keptFields, keptRecord } from '../../../../src/merchant/core/payments/stored-record';
import { readPayment } from '../../../../src/merchant/payment-service/records/payment-record';
import type { JsonObject } from '../../../../src/merchant/payment-service/records/raw-record';

const invalidResponse = (detail: string): never => {
  throw new Error(detail);
};

const CANCELLATION = { pg_tid: 'tid_1', amount: 300, cancelled_at: 1_800_000_001, reason: 'cold' };
const IDS = { svc_uid: 'svc_1', merchant_uid: 'order-1', pg_tid: 'tid_1', apply_num: '55384589' };
const MONEY = { status: 'cancelled', amount: 1000, cancel_amount: 300, currency: 'KRW', sandbox: true };
const BUYER = { buyer_name: 'Kim', buyer_email: 'kim@example.com', buyer_tel: '010-1234-5678' };
const ACCOUNT = { card_number: '4242-42**-****-4242', vbank_num: '110123456789', vbank_holder: 'Kim' };
const SENT_ALONG = { custom_data: '{"note":"Kim"}', user_agent: 'Mozilla/5.0', fail_reason: 'Kim’s card' };
const KEPT = {
  ...IDS,
  ...MONEY,
  card_name: 'Hyundai',
  paid_at: 1_800_000_000,
  cancel_history: [CANCELLATION],
  cancel_receipt_urls: ['https://receipt.example/1'],
};
const WHOLE = {
  ...KEPT,
  ...BUYER,
  ...ACCOUNT,
  ...SENT_ALONG,
  cancel_history: [{ ...CANCELLATION, refund_holder: 'Kim' }],
} satisfies JsonObject;

test('buyer, card, account and the merchant’s own data are left out; money, ids and dates are kept', () => {
  expect(keptFields(WHOLE)).toEqual(KEPT);
});

test('a new field of the service is left out, and so is an object instead of a value', () => {
  const odd = { payer: { name: 'Kim' }, customer_name: 'Kim', name: { of: 'Kim' }, cancel_history: 'Kim' };
  expect(keptFields({ ...WHOLE, ...odd })).toEqual({ ...KEPT, name: null, cancel_history: null });
  const nested = { cancel_history: ['Kim'], cancel_receipt_urls: [{ of: 'Kim' }] };
  const none = { cancel_history: [null], cancel_receipt_urls: [] };
  expect(keptFields({ ...WHOLE, ...nested })).toEqual({ ...KEPT, ...none });
});

test('a fetched record is verified with the same values, and shows no others', () => {
  const whole = readPayment({ payload: WHOLE, invalidResponse }, ['tx_0']);
  const leftOut = { cardNumber: null, vbankNum: null, vbankHolder: null, failReason: null };
  const kept = keptRecord(whole);
  expect(kept).toEqual({ ...whole, ...leftOut, raw: KEPT });
  expect(keptRecord(kept)).toEqual(kept);
});
