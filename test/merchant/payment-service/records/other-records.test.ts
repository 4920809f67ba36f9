// Records of billing keys and schedules (§2.3, §2.5), and lists of records (§4.6).

import { readBillingKey } from '../../../../src/merchant/payment-service/billing-keys';
import { readList, readPage } from '../../../../src/merchant/payment-service/records/page';
import { readPayment } from '../../../../src/merchant/payment-service/records/payment-record';
import { readSchedule } from '../../../../src/merchant/payment-service/schedules';
import { serviceResponse } from '../../../support/service-client';

const payment = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid', amount: 1000 };

test('a billing key is known by its customer_uid; the rest may be missing (§2.3)', () => {
  const key = readBillingKey(serviceResponse({ customer_uid: 'c1', updated: 5 }));
  expect(key).toMatchObject({ customerUid: 'c1', cardNumber: null, updatedAt: new Date(5_000) });
  expect(() => readBillingKey(serviceResponse({ customer_uid: '..' }))).toThrow('customer_uid is missing');
});

test('a schedule has a null for a payment that was not executed, and keeps an unknown status apart (§2.5)', () => {
  const read = (schedule_status: string, payment_status: string | null) =>
    readSchedule(serviceResponse({ merchant_uid: 'o1', amount: 500, schedule_status, payment_status }));
  expect(read('scheduled', null)).toMatchObject({ status: 'scheduled', paymentStatus: null, svcUid: null });
  expect(read('paused', 'paid')).toMatchObject({ status: 'unknown', paymentStatus: 'paid' });
});

test('an unreadable record does not hide the others', () => {
  const broken = { ...payment, svc_uid: 'svc_2', amount: null };
  const list = [payment, broken, null, { ...payment, svc_uid: 'svc_3' }];
  const page = readPage(serviceResponse({ total: 4, previous: 0, next: 0, list }), readPayment);
  expect(page.list.map(({ svcUid }) => svcUid)).toEqual(['svc_1', 'svc_3']);
  expect(page.unreadable).toEqual(['svc_2', null]);
});

test('an answer without counts that are numbers is not a page', () => {
  for (const payload of [{ total: '1', previous: 0, next: 0, list: [] }, { list: [] }, null])
    expect(() => readPage(serviceResponse(payload), readPayment)).toThrow();
});

test('an entry with a code other than 0 was not found', () => {
  const list = [{ code: 0, customer_uid: 'c1' }, { code: 1, message: 'none', customer_uid: 'c2' }, null];
  const found = readList(serviceResponse(list), readBillingKey);
  expect(found.map(({ customerUid }) => customerUid)).toEqual(['c1']);
});
