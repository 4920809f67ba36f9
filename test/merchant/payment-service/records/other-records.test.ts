// Records of billing keys and schedules (§2.3, §2.5), and lists of records (§4.6).

import { readBillingKey } from '../../../../src/merchant/payment-service/records/billing-key-record';
import { readList, readPage } from '../../../../src/merchant/payment-service/records/page';
import { readPayment } from '../../../../src/merchant/payment-service/records/payment-record';
import { readSchedule } from '../../../../src/merchant/payment-service/records/schedule-record';
import { serviceResponse } from '../../../support/service-response';

const payment = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid', amount: 1000 };

test('a billing key is known by its customer_uid; the rest may be missing (§2.3)', () => {
  const key = readBillingKey(serviceResponse({ customer_uid: 'c1', updated: 5 }));
  expect(key).toMatchObject({ customerUid: 'c1', cardNumber: null, updatedAt: new Date(5_000) });
  expect(() => readBillingKey(serviceResponse({ customer_uid: '..' }))).toThrow('customer_uid is missing');
});

test.each([
  [
    'has a real null for a payment that was not executed',
    { schedule_status: 'scheduled', payment_status: null },
    { status: 'scheduled', paymentStatus: null, svcUid: null },
  ],
  [
    'keeps a status that it does not know apart',
    { schedule_status: 'paused', payment_status: 'paid' },
    { status: 'unknown', paymentStatus: 'paid' },
  ],
])('a schedule %s (§2.5)', (_, fields, read) => {
  expect(readSchedule(serviceResponse({ merchant_uid: 'o1', amount: 500, ...fields }))).toMatchObject(read);
});

test('§4.6: a plain array and the paged object give the same list', () => {
  const paged = readPage(serviceResponse({ total: 1, previous: 0, next: 0, list: [payment] }), readPayment);
  const array = readPage(serviceResponse([payment]), readPayment);
  expect(JSON.stringify(array)).toBe(JSON.stringify(paged));
});

test('one record that cannot be read hides none of the others', () => {
  const broken = { ...payment, svc_uid: 'svc_2', amount: null };
  const list = [payment, broken, null, { ...payment, svc_uid: 'svc_3' }];
  const page = readPage(serviceResponse({ total: 4, previous: 0, next: 0, list }), readPayment);
  expect(page.list.map(({ svcUid }) => svcUid)).toEqual(['svc_1', 'svc_3']);
  expect(page.unreadable).toEqual(['svc_2', null]);
});

test.each([[{ total: '1', previous: 0, next: 0, list: [] }], [{ list: [] }], [null]])(
  '%j is no page',
  (payload) => {
    expect(() => readPage(serviceResponse(payload), readPayment)).toThrow();
  },
);

test('an entry with a code of its own was not found', () => {
  const list = [{ code: 0, customer_uid: 'c1' }, { code: 1, message: 'none', customer_uid: 'c2' }, null];
  const found = readList(serviceResponse(list), readBillingKey);
  expect(found.map(({ customerUid }) => customerUid)).toEqual(['c1']);
});
