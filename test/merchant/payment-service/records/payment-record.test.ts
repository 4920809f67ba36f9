// A record of a payment is refused if a field that we need is not as described (§2.4). An invalid field that is only shown
// is left out, and the others are kept.

import {
  readPayment,
  readPaymentOf,
  readPaymentState,
  readShownPayment,
} from '../../../../src/merchant/payment-service/records/payment-record';
import { toUnixSeconds } from '../../../../src/merchant/payment-service/records/record-fields';
import { UnreadableRecordError } from '../../../../src/merchant/payment-service/records/shown-record';
import { serviceResponse } from '../../../support/service-client';

const payment = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid', amount: 1000, currency: 'KRW' };
const TEXTS = (
  'pay_method pg_provider pg_tid apply_num card_name card_number customer_uid customer_uid_usage name fail_reason ' +
  'cancel_reason vbank_code vbank_name vbank_num vbank_holder'
).split(' ');
const TIMES = ['started_at', 'paid_at', 'failed_at', 'cancelled_at', 'vbank_date'];
const read = (fields: object) => readPayment(serviceResponse({ ...payment, ...fields }));
const readState = (fields: object) => readPaymentState(serviceResponse({ ...payment, ...fields }));
const readJson = (json: string) => read(JSON.parse(json) as object);
/** Wire names as ours: paid_at is paidAt. */
const ourName = (name: string) => name.replace(/_(.)/g, (_, first: string) => first.toUpperCase());
const renamed = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [ourName(name), value as unknown]));

test('needs only the fields that we use', () => {
  const left = { cancelAmount: 0, cancelHistory: [], cardNumber: null, customerUid: null, paidAt: null };
  expect(read({})).toMatchObject({ ...renamed(payment), ...left, raw: payment });
});

test('each field is read under its own name', () => {
  // The text of each is its own name.
  const texts = Object.fromEntries(TEXTS.map((name) => [name, name]));
  const seconds = Object.fromEntries(TIMES.map((name, index) => [name, 1_795_248_000 + index]));
  const times = Object.fromEntries(Object.entries(seconds).map(([name, at]) => [name, new Date(at * 1000)]));
  const receipt_url = 'https://r.example/1';
  const cancelled = { pg_tid: 't-9', amount: 300, reason: 'broken', receipt_url };
  const cancel_history = [{ ...cancelled, cancelled_at: 1_795_248_022 }];
  const others = { cancel_amount: 300, cancel_history, receipt_url, sandbox: true };
  expect(read({ ...texts, ...seconds, ...others })).toEqual({
    ...renamed({ ...payment, ...texts, ...times, cancel_amount: 300, receipt_url }),
    cancelHistory: [{ ...renamed(cancelled), cancelledAt: new Date(1_795_248_022_000) }],
    isTest: true,
    otherSvcUids: [],
    raw: { ...payment, ...texts, ...seconds, ...others },
  });
});

test.each([
  [false, false],
  ['False', false],
  [0, false],
  ['0', false],
  // A value that is neither absent nor clearly false counts as a test, which moves no money.
  [{}, true],
  [null, null],
  ['', null],
  [undefined, null],
])('a `sandbox` of %j is of a test channel: %j', (sandbox, isTest) => {
  expect(read({ sandbox }).isTest).toBe(isTest);
});

test('a record of another order than the requested one is a bad answer', () => {
  const about = (requested: string) => () => readPaymentOf(serviceResponse(payment), requested);
  expect(about('order.1')()).toMatchObject({ svcUid: 'svc_1', merchantUid: 'order.1' });
  expect(about('svc_1')).toThrow('the answer is about another payment');
});

test.each([
  ['amount as text', { amount: '1000' }],
  ['amount null', { amount: null }],
  ['amount absent', { amount: undefined }],
  ['amount negative', { amount: -1000 }],
  ['amount with a fraction', { amount: 1000.5 }],
  ['amount beyond 2^53 - 1', { amount: 2 ** 53 }],
  ['cancel_amount as text', { cancel_amount: '0' }],
  ['cancel_amount negative', { cancel_amount: -1 }],
  ['svc_uid absent', { svc_uid: undefined }],
  ['svc_uid that is a path', { svc_uid: '../x' }],
  ['merchant_uid a number', { merchant_uid: 1 }],
  ['status absent', { status: undefined }],
  ['status empty', { status: '' }],
  ['status a number', { status: 1 }],
])('C10: %s is a bad answer', (_, fields) => {
  for (const readOne of [read, readState])
    expect(() => readOne(fields)).toThrow(`${Object.keys(fields)[0]} is missing or not as described`);
});

test('the fields read for a comparison equal those of the whole record', () => {
  const fields = { cancel_amount: 400, currency: 'krw', status: 'NEW_WORD' };
  const { svcUid, merchantUid, status, amount, cancelAmount, currency } = read(fields);
  expect(readState(fields)).toEqual({ svcUid, merchantUid, status, amount, cancelAmount, currency });
});

test.each(['null', '[]', '"paid"', '12'])('E19: %s is a bad answer', (json) => {
  for (const readOne of [readPaymentState, readPayment])
    expect(() => readOne(serviceResponse(JSON.parse(json)))).toThrow('the record is no object');
});

test.each([
  ['1000.0', 1000],
  ['1e3', 1000],
  ['-0', 0],
])('C11: the amount %s is %i', (written, amount) => {
  expect(readJson(`{"amount":${written}}`).amount).toBe(amount);
});

test.each([
  ['absent', undefined, null],
  ['of two letters', 'KR', null],
  ['with a letter before it', 'XKRW', null],
  ['with a letter after it', 'KRWX', null],
  ['of other signs', 'K_W', null],
  ['in a list', ['KRW'], null],
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
  ['VIRTUAL_ACCOUNT_ISSUED', 'ready'],
  ['partial_cancelled', 'cancelled'],
  ['PAY_PENDING', 'ready'],
  ['toString', 'unknown'],
])('status %s is %s', (word, status) => {
  expect(read({ status: word }).status).toBe(status);
});

test.each([
  ['a number', 1_795_248_022, '2026-11-21T08:00:22.000Z'],
  ['text', '1795248022', '2026-11-21T08:00:22.000Z'],
  ['"0"', '0', null],
  ['null', null, null],
  ['a part of a second', 1_795_248_022.9, '2026-11-21T08:00:22.000Z'],
  ['the last one of the calendar', 253_402_300_799, '9999-12-31T23:59:59.000Z'],
  ['one beyond it', 253_402_300_800, null],
  ['negative', -1, null],
  ['a list', ['1795248022'], null],
])('E22: a timestamp is read or left out: %s', (_, paid_at, expected) => {
  expect(read({ paid_at }).paidAt?.toISOString() ?? null).toBe(expected);
});

test('a time that we send has whole seconds, rounded down', () => {
  expect(toUnixSeconds(new Date('2026-11-21T08:00:22.900Z'))).toBe(1_795_248_022);
});

test('J10: a card number with too many visible digits is masked again', () => {
  expect(read({ card_number: '4242424242xx4242' }).cardNumber).toBe('424242******4242');
  expect(read({ card_number: '4242424242424242' }).raw['card_number']).toBe('424242******4242');
});

test('a safe link is kept', () => {
  const longest = `https://r.example/${'x'.repeat(482)}`;
  for (const receipt_url of ['http://r.example/1', 'HTTPS://r.example/?a=1&b=2#c', longest])
    expect(read({ receipt_url }).receiptUrl).toBe(receipt_url);
});

test.each([
  'javascript:x//https://r.example',
  'ftp://r.example/1',
  'https:r.example',
  'https://',
  'https://r.example/ onclick',
  'https://r.example/"onclick',
  "https://r.example/'",
  'https://r.example/<b>',
  ['https://r.example/1'],
  `https://r.example/${'x'.repeat(483)}`,
])('the link %j is not kept', (receipt_url) => {
  expect(read({ receipt_url }).receiptUrl).toBeNull();
});

test.each([
  ['blanks around it', '  Tea ', 'Tea'],
  ['nothing but blanks', '   ', null],
  ['a number', 7, '7'],
  ['a list', ['Tea'], null],
])('a text with %s', (_, value, expected) => {
  const { name, pgTid } = read({ name: value, pg_tid: value });
  expect([name, pgTid]).toEqual([expected, expected]);
});

test('an optional identifier is read completely or not at all', () => {
  const longest = 'c'.repeat(80);
  const kept = [longest, `${longest}c`, '../c'].map((uid) => read({ customer_uid: uid }).customerUid);
  expect(kept).toEqual([longest, null, null]);
});

test('each entry of the cancel history is read, and an invalid history is empty', () => {
  for (const cancel_history of [undefined, {}]) expect(read({ cancel_history }).cancelHistory).toEqual([]);
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

describe('a record that is not as described', () => {
  const unreadable = (payload: unknown): unknown => {
    try {
      return readPayment(serviceResponse(payload));
    } catch (error) {
      return error instanceof UnreadableRecordError ? error.shown : error;
    }
  };
  const readShown = (fields: object) => readShownPayment(serviceResponse({ ...payment, ...fields }));

  test('is an error with all its wrong fields, and with what it shows', () => {
    expect(unreadable({ ...payment, merchant_uid: '', amount: '1000', cancel_amount: -1 })).toEqual({
      svcUid: 'svc_1',
      merchantUid: '',
      customerUid: null,
      amount: '"1000"',
      currency: 'KRW',
      status: 'paid',
      fields: ['merchant_uid', 'amount', 'cancel_amount'],
    });
  });

  test('of no fields is an error without fields', () => {
    expect(unreadable(12)).toMatchObject({ svcUid: null, amount: null, fields: [] });
  });

  test('is read for people and refunds as far as it can be read', () => {
    const broken = {
      merchant_uid: 'tea #1',
      status: 'PAID',
      amount: 1000.5,
      cancel_amount: 300.25,
      currency: 'usd',
    };
    expect(readShown({ ...broken, card_name: 'Hana' })).toMatchObject({
      svcUid: 'svc_1',
      merchantUid: 'tea #1',
      status: 'paid',
      amount: 1000.5,
      cancelAmount: 300.25,
      currency: 'USD',
      cardName: 'Hana',
      raw: { ...payment, ...broken, card_name: 'Hana' },
    });
  });

  test.each([
    ['nothing', undefined, null, 0],
    ['null', null, null, 0],
    ['0', 0, 0, 0],
    ['text', '1000', null, null],
    ['a negative number', -1, null, null],
    ['an infinite number', Infinity, null, null],
  ])('of an amount that is %s', (_, value, amount, cancelAmount) => {
    expect(readShown({ amount: value, cancel_amount: value })).toMatchObject({ amount, cancelAmount });
  });

  test('without a word for its status has an unknown one', () => {
    for (const status of [undefined, 5, ['paid']]) expect(readShown({ status }).status).toBe('unknown');
  });

  test('cannot be read without an id of the payment', () => {
    for (const svc_uid of [undefined, '../x'])
      expect(() => readShown({ svc_uid })).toThrow('svc_uid is missing or not as described');
  });
});
