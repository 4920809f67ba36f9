// A record is refused where a field that we rely on is not as described. Its other fields may be missing (§2.3 to
// §2.5, §9).

import { readNewerPayment } from '../../../src/merchant/payment-service/newer-generation';
import { readBillingKey } from '../../../src/merchant/payment-service/records/billing-key-record';
import { readList, readPage } from '../../../src/merchant/payment-service/records/page';
import {
  readPayment,
  readPaymentOf,
  readPaymentState,
} from '../../../src/merchant/payment-service/records/payment-record';
import { readSchedule } from '../../../src/merchant/payment-service/records/schedule-record';

/** A success with this payload. */
const response = (payload: unknown) => ({
  payload,
  invalidResponse: (detail: string) => new Error(detail) as never,
});
const payment = {
  svc_uid: 'svc_1',
  merchant_uid: 'order.1',
  status: 'paid',
  amount: 1000,
  currency: 'KRW',
};
const read = (fields: object) => readPayment(response({ ...payment, ...fields }));
const readState = (fields: object) => readPaymentState(response({ ...payment, ...fields }));
const readJson = (json: string) => read(JSON.parse(json) as object);

describe('payment record (§2.4)', () => {
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

  test.each([false, 'true', 1, null, undefined])(
    '%j says of no payment that it is one of a test channel',
    (sandbox) => {
      expect(read({ sandbox }).isTest).toBe(false);
    },
  );

  test.each([undefined, null, 'none', {}])('a cancel history of %j is empty', (cancel_history) => {
    expect(read({ cancel_history }).cancelHistory).toEqual([]);
  });

  test('a record of another payment than was requested is a bad answer', () => {
    const about = (requested: Parameters<typeof readPaymentOf>[1]) => () =>
      readPaymentOf(response(payment), requested);
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
    expect(() => readPaymentState(response(JSON.parse(json)))).toThrow();
    expect(() => readPayment(response(JSON.parse(json)))).toThrow();
  });

  test.each([['null'], ['"paid"'], ['12']])('of %s it is said that it is no object', (json) => {
    expect(() => readPayment(response(JSON.parse(json)))).toThrow('the record is no object');
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

  test.each([
    ['a number', 1_795_248_022, '2026-11-21T08:00:22.000Z'],
    ['text', '1795248022', '2026-11-21T08:00:22.000Z'],
    ['0', 0, null],
    ['"0"', '0', null],
    ['empty', '', null],
    ['null', null, null],
    ['words', 'yesterday', null],
    ['a part of a second', 1_795_248_022.9, '2026-11-21T08:00:22.000Z'],
    ['the last one of the calendar', 253_402_300_799, '9999-12-31T23:59:59.000Z'],
    ['one beyond it', 253_402_300_800, null],
    ['beyond every calendar', 1e18, null],
    ['negative', -1, null],
    ['an object', {}, null],
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
    'x',
    '',
    null,
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
    expect(read({ customer_uid: longest }).customerUid).toBe(longest);
    expect(read({ customer_uid: `${longest}c` }).customerUid).toBeNull();
    expect(read({ customer_uid: '../c' }).customerUid).toBeNull();
  });

  test('the cancel history is read entry by entry', () => {
    const cancel_history = [
      { pg_tid: 't1', amount: 300, cancelled_at: '1795248022', reason: 'broken' },
      null,
      'x',
      {},
    ];
    expect(read({ cancel_history }).cancelHistory).toEqual([
      {
        pgTid: 't1',
        amount: 300,
        cancelledAt: new Date(1_795_248_022_000),
        reason: 'broken',
        receiptUrl: null,
      },
      { pgTid: null, amount: null, cancelledAt: null, reason: null, receiptUrl: null },
    ]);
  });

  test('fields fit the columns that keep them', () => {
    const long = 'x'.repeat(2_000);
    const record = read({
      pay_method: long,
      fail_reason: long,
      pg_tid: long,
      name: long,
      customer_uid: long,
    });
    expect(record).toMatchObject({
      payMethod: 'x'.repeat(32),
      failReason: 'x'.repeat(500),
      pgTid: 'x'.repeat(64),
      name: 'x'.repeat(255),
    });
    expect(record.customerUid).toBeNull();
  });
});

describe('billing key record (§2.3)', () => {
  test('is known by its customer_uid; the rest may be missing', () => {
    expect(readBillingKey(response({ customer_uid: 'c1', updated: 5 }))).toMatchObject({
      customerUid: 'c1',
      cardNumber: null,
      updatedAt: new Date(5_000),
    });
    expect(() => readBillingKey(response({ customer_uid: '..' }))).toThrow('customer_uid is missing');
  });
});

describe('schedule record (§2.5)', () => {
  const schedule = { merchant_uid: 'o1', amount: 500, schedule_status: 'scheduled' };

  test('has a real null for a payment that was not executed', () => {
    expect(readSchedule(response({ ...schedule, payment_status: null }))).toMatchObject({
      status: 'scheduled',
      paymentStatus: null,
      svcUid: null,
    });
  });

  test('keeps a status that it does not know apart', () => {
    const record = readSchedule(response({ ...schedule, schedule_status: 'paused', payment_status: 'paid' }));
    expect(record).toMatchObject({ status: 'unknown', paymentStatus: 'paid' });
  });
});

describe('lists', () => {
  test('§4.6: a plain array and the paged object give the same list', () => {
    const paged = readPage(response({ total: 1, previous: 0, next: 0, list: [payment] }), readPayment);
    const array = readPage(response([payment]), readPayment);
    expect(JSON.stringify(array)).toBe(JSON.stringify(paged));
  });

  test('one record that cannot be read hides none of the others', () => {
    const list = [
      payment,
      { ...payment, svc_uid: 'svc_2', amount: null },
      null,
      { ...payment, svc_uid: 'svc_3' },
    ];
    const page = readPage(response({ total: 4, previous: 0, next: 0, list }), readPayment);
    expect(page.list.map(({ svcUid }) => svcUid)).toEqual(['svc_1', 'svc_3']);
    expect(page.unreadable).toEqual(['svc_2', null]);
  });

  test.each([[{ total: '1', previous: 0, next: 0, list: [] }], [{ list: [] }], [null], ['x']])(
    '%j is no page',
    (payload) => {
      expect(() => readPage(response(payload), readPayment)).toThrow();
    },
  );

  test('an entry with a code of its own was not found', () => {
    const list = [{ code: 0, customer_uid: 'c1' }, { code: 1, message: 'none', customer_uid: 'c2' }, null];
    expect(readList(response(list), readBillingKey).map(({ customerUid }) => customerUid)).toEqual(['c1']);
  });
});

describe('payment of the newer generation (§9)', () => {
  const primary = { id: 'tx_1', is_primary: true, status: 'PAID', amount: { total: 1000 }, currency: 'KRW' };
  const of = (...transactions: object[]) =>
    readNewerPayment(response({ payment: { id: 'order.1', transactions } }));

  test('is the same record: the primary transaction counts', () => {
    const other = { ...primary, id: 'tx_0', is_primary: false, status: 'FAILED', amount: { total: 9 } };
    expect(of(other, primary)).toMatchObject({
      svcUid: 'tx_1',
      merchantUid: 'order.1',
      status: 'paid',
      amount: 1000,
      cancelAmount: 0,
      currency: 'KRW',
      otherSvcUids: ['tx_0'],
      raw: { svc_uid: 'tx_1', merchant_uid: 'order.1', status: 'paid', amount: 1000, cancel_amount: 0 },
    });
  });

  test('a payment that is paid and says nothing of a cancellation has none', () => {
    expect(of(primary).cancelAmount).toBe(0);
    expect(of({ ...primary, amount: { total: 1000, cancelled: null } }).cancelAmount).toBe(0);
  });

  test('its other transactions are told by their ids, without those that are none', () => {
    const others = [{ id: 'tx_0' }, { id: '..' }, { id: 7 }, {}, { id: 'tx_1' }];
    expect(of(primary, ...others).otherSvcUids).toEqual(['tx_0']);
  });

  test('keeps a status that it does not know as it was written', () => {
    expect(of({ ...primary, status: 'ON_HOLD' })).toMatchObject({
      status: 'unknown',
      raw: { status: 'ON_HOLD' },
    });
  });

  test('has no field beside those of §2.4', () => {
    expect(of({ ...primary, card: { number: '4242' }, failure: null }).raw).toEqual({
      svc_uid: 'tx_1',
      merchant_uid: 'order.1',
      status: 'paid',
      amount: 1000,
      cancel_amount: 0,
      currency: 'KRW',
      fail_reason: null,
    });
  });

  test('tells a partial cancellation by amounts, and takes one without an amount for a full one', () => {
    const cancelled = { ...primary, status: 'CANCELLED' };
    expect(of({ ...cancelled, amount: { total: 1000, cancelled: 300 } }).cancelAmount).toBe(300);
    expect(of(cancelled).cancelAmount).toBe(1000);
  });

  test('refuses a partial cancellation that does not say how much', () => {
    for (const amount of [{ total: 1000 }, { total: 1000, cancelled: 0 }])
      expect(() => of({ ...primary, status: 'PARTIAL_CANCELLED', amount })).toThrow(
        'a partial cancellation without its amount',
      );
    const amount = { total: 1000, cancelled: 300 };
    expect(of({ ...primary, status: 'partial_cancelled', amount })).toMatchObject({
      status: 'cancelled',
      cancelAmount: 300,
    });
    // Only at the beginning of the word.
    expect(of({ ...primary, status: 'NOT_PARTIAL' }).status).toBe('unknown');
  });

  test('keeps the reason of a failure', () => {
    expect(of({ ...primary, status: 'FAILED', failure: { reason: 'limit reached' } }).failReason).toBe(
      'limit reached',
    );
  });

  test.each([
    ['no transaction', []],
    ['none that is primary', [{ ...primary, is_primary: false }]],
    ['two that are', [primary, primary]],
    ['"true" as text', [{ ...primary, is_primary: 'true' }]],
    ['another one of which nobody can tell', [primary, { ...primary, id: 'tx_0', is_primary: 'yes' }]],
    ['no total', [{ ...primary, amount: {} }]],
    ['a total as text', [{ ...primary, amount: { total: '1000' } }]],
    ['a plain amount', [{ ...primary, amount: 1000 }]],
    ['an id that is a path', [{ ...primary, id: '..' }]],
  ])('%s is a bad answer', (_, transactions) => {
    expect(() => of(...transactions)).toThrow();
  });

  test.each([[[]], [[{ ...primary, is_primary: false }]], [[primary, primary]]])(
    'of %j it is said that no transaction counts',
    (transactions) => {
      expect(() => of(...transactions)).toThrow('the payment has not exactly one primary transaction');
    },
  );

  test('a failure that cannot be read hides no payment', () => {
    expect(of({ ...primary, failure: 'limit reached' })).toMatchObject({ status: 'paid', failReason: null });
  });

  test('what is wrong is named by its whole path', () => {
    const read = (payment: object) => () => readNewerPayment(response({ payment }));
    expect(read({ id: '..', transactions: [primary] })).toThrow('payment.id is missing or not as described');
    expect(() => of({ ...primary, amount: {} })).toThrow('amount.total is missing or not as described');
  });
});
