// A payment of the newer generation becomes the same record as one of the legacy one (§9).

import { readNewerPayment } from '../../../src/merchant/payment-service/newer-generation';
import { UnreadableRecordError } from '../../../src/merchant/payment-service/records/shown-record';
import { serviceResponse } from '../../support/service-client';

const primary = { id: 'tx_1', is_primary: true, status: 'PAID', amount: { total: 1000 }, currency: 'KRW' };
const of = (...transactions: object[]) =>
  readNewerPayment(serviceResponse({ payment: { id: 'order.1', transactions } }));

test('is the same record with only the fields of §2.4, of the primary transaction', () => {
  const other = { ...primary, id: 'tx_0', is_primary: false, status: 'FAILED', amount: { total: 9 } };
  const record = of(other, { ...primary, card: { number: '4242' }, failure: null });
  expect(record).toMatchObject({ svcUid: 'tx_1', status: 'paid', amount: 1000, otherSvcUids: ['tx_0'] });
  expect(record.raw).toEqual({
    svc_uid: 'tx_1',
    merchant_uid: 'order.1',
    status: 'paid',
    amount: 1000,
    cancel_amount: 0,
    currency: 'KRW',
    fail_reason: null,
  });
});

test('the other transactions are listed by their valid ids', () => {
  const others = [{ id: 'tx_0' }, { id: '..' }, { id: 7 }, {}, { id: 'tx_1' }];
  expect(of(primary, ...others).otherSvcUids).toEqual(['tx_0']);
});

test('keeps an unknown status unchanged', () => {
  const { status, raw } = of({ ...primary, status: 'ON_HOLD' });
  expect([status, raw['status']]).toEqual(['unknown', 'ON_HOLD']);
});

test('a transaction that is not as described shows its ids and amount under the names of §2.4', () => {
  const read = () => of({ ...primary, status: null, amount: { total: '1000' } });
  expect(read).toThrow(UnreadableRecordError);
  expect(read).toThrow(
    expect.objectContaining({
      shown: {
        svcUid: 'tx_1',
        merchantUid: 'order.1',
        customerUid: null,
        amount: '"1000"',
        currency: 'KRW',
        status: null,
        fields: ['status', 'amount.total'],
      },
    }),
  );
});

test.each([
  [{ type: ' live', name: 'cards' }, false],
  [{ type: 'LIVE' }, false],
  [{ type: 'TEST' }, true],
  // Without a known type the channel is unknown.
  [{ type: 'PREVIEW' }, null],
  [{ type: true }, null],
  [{}, null],
  [null, null],
  ['LIVE', null],
])('whether a payment of the channel %j is a test is %j', (channel, isTest) => {
  const record = of({ ...primary, channel });
  expect(record.isTest).toBe(isTest);
  expect('sandbox' in record.raw).toBe(isTest !== null);
});

test.each([
  ['PAID', {}, 0],
  ['PAID', { cancelled: null }, 0],
  ['CANCELLED', { cancelled: 300 }, 300],
  // Without an amount it is a full cancellation.
  ['CANCELLED', {}, 1000],
])('a payment that is %s with %j has the cancelled amount %i', (status, amount, cancelled) => {
  expect(of({ ...primary, status, amount: { total: 1000, ...amount } }).cancelAmount).toBe(cancelled);
});

test('refuses a partial cancellation without its amount', () => {
  for (const amount of [{ total: 1000 }, { total: 1000, cancelled: 0 }])
    expect(() => of({ ...primary, status: 'PARTIAL_CANCELLED', amount })).toThrow(
      'a partial cancellation without its amount',
    );
  const partial = { ...primary, status: 'partial_cancelled', amount: { total: 1000, cancelled: 300 } };
  expect(of(partial)).toMatchObject({ status: 'cancelled', cancelAmount: 300 });
  // Only at the beginning of the word.
  expect(of({ ...primary, status: 'NOT_PARTIAL' }).status).toBe('unknown');
});

test('the reason of a failure is kept, and an unreadable one is left out', () => {
  expect(of({ ...primary, failure: { reason: 'limit reached' } }).failReason).toBe('limit reached');
  expect(of({ ...primary, failure: 'limit reached' })).toMatchObject({ status: 'paid', failReason: null });
});

const NOT_ONE = 'the payment has not exactly one primary transaction';
test.each([
  ['none that is primary', [{ ...primary, is_primary: false }], NOT_ONE],
  ['two that are', [primary, primary], NOT_ONE],
  ['"true" as text', [{ ...primary, is_primary: 'true' }], 'is_primary is missing'],
  ['another one of which nobody can tell', [primary, { id: 'tx_0', is_primary: 'yes' }], 'is_primary'],
  ['no total', [{ ...primary, amount: {} }], 'amount.total is missing or not as described'],
  ['a total as text', [{ ...primary, amount: { total: '1000' } }], 'amount.total is missing'],
  ['a plain amount', [{ ...primary, amount: 1000 }], 'amount is missing'],
  ['an id that is a path', [{ ...primary, id: '..' }], 'svc_uid is missing'],
])('%s is a bad answer', (_, transactions, said) => {
  expect(() => of(...transactions)).toThrow(said);
});

test('a wrong field is named with its path', () => {
  const payment = { id: '..', transactions: [primary] };
  expect(() => readNewerPayment(serviceResponse({ payment }))).toThrow('payment.id is missing or not as');
});
