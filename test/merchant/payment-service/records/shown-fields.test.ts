// Fields of a payment that are shown and not relied on: one that is not as described is left out, and hides nothing (§2.4).

import { readPayment } from '../../../../src/merchant/payment-service/records/payment-record';
import { serviceResponse } from '../../../support/service-response';

const payment = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid', amount: 1000 };
const read = (fields: object) => readPayment(serviceResponse({ ...payment, ...fields }));

test.each([
  ['a number', 1_795_248_022, '2026-11-21T08:00:22.000Z'],
  ['text', '1795248022', '2026-11-21T08:00:22.000Z'],
  ['"0"', '0', null],
  ['null', null, null],
  ['words', 'yesterday', null],
  ['a part of a second', 1_795_248_022.9, '2026-11-21T08:00:22.000Z'],
  ['the last one of the calendar', 253_402_300_799, '9999-12-31T23:59:59.000Z'],
  ['one beyond it', 253_402_300_800, null],
  ['negative', -1, null],
  ['a list', ['1795248022'], null],
  ['true', true, null],
])('E22: a timestamp that is %s', (_, paid_at, expected) => {
  expect(read({ paid_at }).paidAt?.toISOString() ?? null).toBe(expected);
});

test('J10: a card number with too many visible digits is masked again', () => {
  expect(read({ card_number: '4242424242xx4242' }).cardNumber).toBe('424242******4242');
  expect(read({ card_number: '4242424242424242' }).raw['card_number']).toBe('424242******4242');
});

test.each([
  'https://r.example/1',
  'http://r.example/1',
  'HTTPS://r.example/?a=1&b=2#c',
  `https://r.example/${'x'.repeat(482)}`,
])('the link %s is kept: a page may show it', (receipt_url) => {
  expect(read({ receipt_url }).receiptUrl).toBe(receipt_url);
});

test.each([
  'javascript:alert(1)',
  'javascript:x//https://r.example',
  ' javascript:https://r.example',
  'ftp://r.example/1',
  'https:r.example',
  'https://',
  'https://r.example/ onclick',
  'https://r.example/"onclick',
  "https://r.example/'",
  'https://r.example/<b>',
  '',
  ['https://r.example/1'],
  `https://r.example/${'x'.repeat(483)}`,
])('the link %j is not kept', (receipt_url) => {
  expect(read({ receipt_url }).receiptUrl).toBeNull();
});

test.each([
  ['blanks around it', '  Tea ', 'Tea'],
  ['nothing but blanks', '   ', null],
  ['nothing', '', null],
  ['a number', 7, '7'],
  ['true', true, null],
  ['a list', ['Tea'], null],
  ['an object', {}, null],
])('a text with %s', (_, value, expected) => {
  const { name, pgTid } = read({ name: value, pg_tid: value });
  expect([name, pgTid]).toEqual([expected, expected]);
});

test('an identifier that may be missing is read whole or not at all', () => {
  const longest = 'c'.repeat(80);
  const kept = [longest, `${longest}c`, '../c'].map((uid) => read({ customer_uid: uid }).customerUid);
  expect(kept).toEqual([longest, null, null]);
});

test('the cancel history is read entry by entry', () => {
  const entry = { pg_tid: 't1', amount: 300, cancelled_at: '1795248022', reason: 'broken' };
  const none = { pgTid: null, amount: null, cancelledAt: null, reason: null, receiptUrl: null };
  expect(read({ cancel_history: [entry, null, 'x', {}] }).cancelHistory).toEqual([
    { ...none, pgTid: 't1', amount: 300, cancelledAt: new Date(1_795_248_022_000), reason: 'broken' },
    none,
  ]);
});

test('fields fit the columns that keep them', () => {
  const long = 'x'.repeat(2_000);
  const names = ['pay_method', 'fail_reason', 'pg_tid', 'name'];
  const { payMethod, failReason, pgTid, name } = read(Object.fromEntries(names.map((each) => [each, long])));
  expect([payMethod, failReason, pgTid, name].map((text) => text?.length)).toEqual([32, 500, 64, 255]);
});
