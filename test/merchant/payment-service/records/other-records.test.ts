// Records of billing keys and schedules (§2.3, §2.5), and lists of records (§4.6).

import { readBillingKey } from '../../../../src/merchant/payment-service/records/billing-key-record';
import { readList, readPage } from '../../../../src/merchant/payment-service/records/page';
import { readPayment } from '../../../../src/merchant/payment-service/records/payment-record';
import { readSchedule } from '../../../../src/merchant/payment-service/records/schedule-record';
import { serviceResponse } from '../../../support/service-response';

const payment = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid', amount: 1000 };

describe('billing key record (§2.3)', () => {
  test('is known by its customer_uid; the rest may be missing', () => {
    expect(readBillingKey(serviceResponse({ customer_uid: 'c1', updated: 5 }))).toMatchObject({
      customerUid: 'c1',
      cardNumber: null,
      updatedAt: new Date(5_000),
    });
    expect(() => readBillingKey(serviceResponse({ customer_uid: '..' }))).toThrow('customer_uid is missing');
  });
});

describe('schedule record (§2.5)', () => {
  const schedule = { merchant_uid: 'o1', amount: 500, schedule_status: 'scheduled' };

  test('has a real null for a payment that was not executed', () => {
    expect(readSchedule(serviceResponse({ ...schedule, payment_status: null }))).toMatchObject({
      status: 'scheduled',
      paymentStatus: null,
      svcUid: null,
    });
  });

  test('keeps a status that it does not know apart', () => {
    const record = readSchedule(
      serviceResponse({ ...schedule, schedule_status: 'paused', payment_status: 'paid' }),
    );
    expect(record).toMatchObject({ status: 'unknown', paymentStatus: 'paid' });
  });
});

describe('lists', () => {
  test('§4.6: a plain array and the paged object give the same list', () => {
    const paged = readPage(serviceResponse({ total: 1, previous: 0, next: 0, list: [payment] }), readPayment);
    const array = readPage(serviceResponse([payment]), readPayment);
    expect(JSON.stringify(array)).toBe(JSON.stringify(paged));
  });

  test('one record that cannot be read hides none of the others', () => {
    const list = [
      payment,
      { ...payment, svc_uid: 'svc_2', amount: null },
      null,
      { ...payment, svc_uid: 'svc_3' },
    ];
    const page = readPage(serviceResponse({ total: 4, previous: 0, next: 0, list }), readPayment);
    expect(page.list.map(({ svcUid }) => svcUid)).toEqual(['svc_1', 'svc_3']);
    expect(page.unreadable).toEqual(['svc_2', null]);
  });

  test.each([[{ total: '1', previous: 0, next: 0, list: [] }], [{ list: [] }], [null], ['x']])(
    '%j is no page',
    (payload) => {
      expect(() => readPage(serviceResponse(payload), readPayment)).toThrow();
    },
  );

  test('an entry with a code of its own was not found', () => {
    const list = [{ code: 0, customer_uid: 'c1' }, { code: 1, message: 'none', customer_uid: 'c2' }, null];
    expect(readList(serviceResponse(list), readBillingKey).map(({ customerUid }) => customerUid)).toEqual([
      'c1',
    ]);
  });
});
