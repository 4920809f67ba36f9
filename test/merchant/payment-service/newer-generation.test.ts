// A payment of the newer generation becomes the same record as one of the legacy one (§9).

import { readNewerPayment } from '../../../src/merchant/payment-service/newer-generation';
import { serviceResponse } from '../../support/service-response';

const primary = { id: 'tx_1', is_primary: true, status: 'PAID', amount: { total: 1000 }, currency: 'KRW' };
const of = (...transactions: object[]) =>
  readNewerPayment(serviceResponse({ payment: { id: 'order.1', transactions } }));

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

test.each([
  ['LIVE', false],
  [' live', false],
  ['TEST', true],
  ['Test', true],
  ['PREVIEW', null],
  [true, null],
])('a channel of type %j is of a test channel: %j', (type, isTest) => {
  expect(of({ ...primary, channel: { type, name: 'cards' } }).isTest).toBe(isTest);
});

test.each([undefined, null, 'LIVE', {}])('a channel %j is none that is shown', (channel) => {
  const { isTest, raw } = of({ ...primary, channel });
  expect(isTest).toBeNull();
  expect(raw).not.toHaveProperty('sandbox');
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
  const read = (payment: object) => () => readNewerPayment(serviceResponse({ payment }));
  expect(read({ id: '..', transactions: [primary] })).toThrow('payment.id is missing or not as described');
  expect(() => of({ ...primary, amount: {} })).toThrow('amount.total is missing or not as described');
});
