// A record of a payment is refused where a field that we rely on is not as described (§2.4).

import {
  readPayment,
  readPaymentOf,
  readPaymentState,
} from '../../../../src/merchant/payment-service/records/payment-record';
import { serviceResponse } from '../../../support/service-response';

const payment = {
  svc_uid: 'svc_1',
  merchant_uid: 'order.1',
  status: 'paid',
  amount: 1000,
  currency: 'KRW',
};
const read = (fields: object) => readPayment(serviceResponse({ ...payment, ...fields }));
const readState = (fields: object) => readPaymentState(serviceResponse({ ...payment, ...fields }));
const readJson = (json: string) => read(JSON.parse(json) as object);

test('needs no more than what we rely on', () => {
  expect(read({})).toMatchObject({
    svcUid: 'svc_1',
    merchantUid: 'order.1',
    status: 'paid',
    amount: 1000,
    cancelAmount: 0,
    currency: 'KRW',
    cancelHistory: [],
    cardNumber: null,
    customerUid: null,
    paidAt: null,
    raw: payment,
  });
});

test('each field is read under its own name', () => {
  const fields = {
    cancel_amount: 300,
    cancel_history: [
      {
        pg_tid: 't-9',
        amount: 300,
        cancelled_at: 1_795_248_001,
        reason: 'broken',
        receipt_url: 'https://r.example/2',
      },
    ],
    pay_method: 'card',
    pg_provider: 'nice',
    pg_tid: 't-1',
    apply_num: '30001234',
    card_name: 'Blue card',
    card_number: '424242******4242',
    customer_uid: 'card_1',
    name: 'Tea',
    fail_reason: 'limit reached',
    cancel_reason: 'changed their mind',
    receipt_url: 'https://r.example/1',
    started_at: 1_795_248_002,
    paid_at: 1_795_248_003,
    failed_at: 1_795_248_004,
    cancelled_at: 1_795_248_005,
    vbank_code: '088',
    vbank_name: 'Shinhan',
    vbank_num: '11012345678901',
    vbank_holder: 'Shop',
    vbank_date: 1_795_248_006,
    sandbox: true,
  };
  const at = (seconds: number) => new Date(seconds * 1000);
  expect(read(fields)).toEqual({
    svcUid: 'svc_1',
    merchantUid: 'order.1',
    status: 'paid',
    amount: 1000,
    cancelAmount: 300,
    currency: 'KRW',
    cancelHistory: [
      {
        pgTid: 't-9',
        amount: 300,
        cancelledAt: at(1_795_248_001),
        reason: 'broken',
        receiptUrl: 'https://r.example/2',
      },
    ],
    payMethod: 'card',
    pgProvider: 'nice',
    pgTid: 't-1',
    applyNum: '30001234',
    cardName: 'Blue card',
    cardNumber: '424242******4242',
    customerUid: 'card_1',
    name: 'Tea',
    failReason: 'limit reached',
    cancelReason: 'changed their mind',
    receiptUrl: 'https://r.example/1',
    startedAt: at(1_795_248_002),
    paidAt: at(1_795_248_003),
    failedAt: at(1_795_248_004),
    cancelledAt: at(1_795_248_005),
    vbankCode: '088',
    vbankName: 'Shinhan',
    vbankNum: '11012345678901',
    vbankHolder: 'Shop',
    vbankDate: at(1_795_248_006),
    isTest: true,
    otherSvcUids: [],
    raw: { ...payment, ...fields },
  });
});

test.each([
  [false, false],
  ['False', false],
  [0, false],
  [true, true],
  ['true', true],
  [1, true],
  // What is neither clearly no nor absent moves no money.
  [{}, true],
  [null, null],
  ['', null],
  [undefined, null],
])('a `sandbox` of %j is of a test channel: %j', (sandbox, isTest) => {
  expect(read({ sandbox }).isTest).toBe(isTest);
});

test.each([undefined, null, 'none', {}])('a cancel history of %j is empty', (cancel_history) => {
  expect(read({ cancel_history }).cancelHistory).toEqual([]);
});

test('a record of another payment than was requested is a bad answer', () => {
  const about = (requested: Parameters<typeof readPaymentOf>[1]) => () =>
    readPaymentOf(serviceResponse(payment), requested);
  expect(about({ svcUid: 'svc_1' })()).toMatchObject({ svcUid: 'svc_1', merchantUid: 'order.1' });
  expect(about({ merchantUid: 'order.1' })()).toMatchObject({ svcUid: 'svc_1' });
  expect(about({ svcUid: 'svc_2' })).toThrow('the answer is about another payment');
  expect(about({ merchantUid: 'svc_1' })).toThrow('the answer is about another payment');
});

test.each([
  ['amount as text', { amount: '1000' }],
  ['amount null', { amount: null }],
  ['amount absent', { amount: undefined }],
  ['amount negative', { amount: -1000 }],
  ['amount with a fraction', { amount: 1000.5 }],
  ['amount beyond 2^53 - 1', { amount: 2 ** 53 }],
  ['amount true', { amount: true }],
  ['cancel_amount as text', { cancel_amount: '0' }],
  ['cancel_amount negative', { cancel_amount: -1 }],
  ['svc_uid absent', { svc_uid: undefined }],
  ['svc_uid that is a path', { svc_uid: '../x' }],
  ['merchant_uid null', { merchant_uid: null }],
  ['merchant_uid a number', { merchant_uid: 1 }],
  ['status absent', { status: undefined }],
  ['status empty', { status: '' }],
  ['status a number', { status: 1 }],
])('C10: %s is a bad answer', (_, fields) => {
  for (const readOne of [read, readState])
    expect(() => readOne(fields)).toThrow(`${Object.keys(fields)[0]} is missing or not as described`);
});

test.each([
  {},
  { cancel_amount: 400 },
  { currency: 'krw' },
  { currency: 7 },
  { status: 'NEW_WORD', name: 7 },
])('what a comparison reads of %j is what the whole record says', (fields) => {
  const { svcUid, merchantUid, status, amount, cancelAmount, currency } = read(fields);
  expect(readState(fields)).toEqual({ svcUid, merchantUid, status, amount, cancelAmount, currency });
});

test.each([['null'], ['[]'], ['"paid"'], ['12']])('E19: %s is a bad answer', (json) => {
  expect(() => readPaymentState(serviceResponse(JSON.parse(json)))).toThrow();
  expect(() => readPayment(serviceResponse(JSON.parse(json)))).toThrow();
});

test.each([['null'], ['"paid"'], ['12']])('of %s it is said that it is no object', (json) => {
  expect(() => readPayment(serviceResponse(JSON.parse(json)))).toThrow('the record is no object');
});

test.each(['{"amount":1000.0}', '{"amount":1e3}', '{"amount":1000}'])('C11: %s is 1000', (json) => {
  expect(readJson(json).amount).toBe(1000);
});

test('-0 is 0', () => {
  expect(Object.is(readJson('{"amount":-0}').amount, 0)).toBe(true);
});

test.each([
  ['absent', undefined, null],
  ['null', null, null],
  ['no currency', 'wons', null],
  ['of two letters', 'KR', null],
  ['of other signs', 'K_W', null],
  ['in a list', ['KRW'], null],
  ['a number', 100, null],
  ['in small letters', 'usd', 'USD'],
])('C13: currency %s', (_, currency, expected) => {
  expect(read({ currency }).currency).toBe(expected);
});

test.each([
  ['paid', 'paid'],
  ['ready', 'ready'],
  ['cancelled', 'cancelled'],
  ['failed', 'failed'],
  ['PENDING', 'ready'],
  ['PAID', 'paid'],
  ['VIRTUAL_ACCOUNT_ISSUED', 'ready'],
  ['virtual_account_issued', 'ready'],
  ['Cancelled', 'cancelled'],
  ['partial_cancelled', 'cancelled'],
  ['PAY_PENDING', 'ready'],
  ['toString', 'unknown'],
  ['constructor', 'unknown'],
])('status %s is %s', (word, status) => {
  expect(read({ status: word }).status).toBe(status);
});
