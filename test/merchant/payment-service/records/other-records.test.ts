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
  expect(page.unreadable).toMatchObject([
    { svcUid: 'svc_2', merchantUid: 'order.1', amount: null, status: 'paid', fields: ['amount'] },
    { svcUid: null, fields: [] },
  ]);
});

test('an answer without counts that are numbers is not a page', () => {
  for (const payload of [{ total: '1', previous: 0, next: 0, list: [] }, { list: [] }, null])
    expect(() => readPage(serviceResponse(payload), readPayment)).toThrow();
});

test('an entry with a code other than 0 was not found', () => {
  const list = [{ code: 0, customer_uid: 'c1' }, { code: 1, message: 'none', customer_uid: 'c2' }, null];
  const found = readList(serviceResponse(list), readBillingKey);
  expect(found.list.map(({ customerUid }) => customerUid)).toEqual(['c1']);
});

test('O15 a record that cannot be read is shown with its ids and amount, cleaned, and with the fields at fault', () => {
  const shownOf = (fields: Record<string, unknown>) =>
    readPage(serviceResponse([{ ...payment, currency: 'KRW', ...fields }]), readPayment).unreadable[0];
  expect(shownOf({ merchant_uid: '주문:1001' })).toMatchObject({
    svcUid: 'svc_1',
    merchantUid: '주문:1001',
    amount: '1000',
    fields: ['merchant_uid'],
  });
  expect(shownOf({ amount: 10.5 })).toMatchObject({ amount: '10.5', currency: 'KRW', fields: ['amount'] });
  expect(shownOf({ amount: '1000', status: 7 })).toMatchObject({
    amount: '"1000"',
    status: '7',
    fields: ['status', 'amount'],
  });
  expect(shownOf({ svc_uid: '../users', status: undefined })).toMatchObject({
    svcUid: '../users',
    status: null,
    fields: ['svc_uid', 'status'],
  });
  const long = shownOf({ merchant_uid: `a\u0000${'b'.repeat(400)}`, amount: 4111111111111111.5 });
  expect(long?.merchantUid).toBe(`a${'b'.repeat(298)}…`);
  expect(long?.amount).not.toContain('1111111111');
});

test('O15 an amount of 0 is read', () => {
  expect(readPayment(serviceResponse({ ...payment, amount: 0 }))).toMatchObject({ amount: 0 });
});
