// A call to the service goes to the path of its template, and has no malformed value. For every value:
// test/properties/requests.test.ts.

import { ServiceError } from '../../../src/merchant/payment-service/records/service-error';
import {
  checkRequest,
  checkValues,
  type ServiceRequest,
} from '../../../src/merchant/payment-service/transport/request';

const CALL = { method: 'POST', path: '/payments/cancel' } as const;
function factsOf(work: () => void) {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error.facts;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('each value is checked by its name', () => {
  const ID = { good: ['a-1_B'], bad: ['..', 'a/b', '', 7, null] };
  const COUNT = {
    good: [0, 1, Number.MAX_SAFE_INTEGER],
    bad: [-1, 0.5, 2 ** 53, NaN, Infinity, '1', null, true],
  };
  const POSITIVE = { good: COUNT.good.slice(1), bad: [0, ...COUNT.bad] };
  const STATUS = {
    good: ['all', 'ready', 'paid', 'cancelled', 'failed'],
    bad: ['', 'PAID', 'paid/..', 'all-of-it', 'not-paid', 'unpaid', 'paid\n', null],
  };
  test.each<[kind: string, values: { good: unknown[]; bad: unknown[] }, names: string[]]>([
    ['an identifier', ID, ['svc_uid', 'merchant_uid', 'payment_id', 'customer_uid']],
    ['a status', STATUS, ['payment_status']],
    ['positive', POSITIVE, ['amount', 'schedule_at', 'page', 'limit']],
    ['a count', COUNT, ['checksum', 'tax_free', 'card_quota', 'schedule_from', 'schedule_to', 'from', 'to']],
  ])('%s', (_, { good, bad }, names) => {
    for (const name of names) {
      for (const value of good)
        for (const values of [{ [name]: value }, { [name]: [value] }])
          expect(() => checkValues(CALL, values)).not.toThrow();
      const refused = { ...CALL, kind: 'refused', detail: `malformed ${name}, nothing was sent` };
      for (const value of bad) {
        expect(factsOf(() => checkValues(CALL, { [name]: value }))).toEqual(refused);
        expect(factsOf(() => checkValues(CALL, { [name]: [good[0], value] }))).toEqual(refused);
        expect(factsOf(() => checkValues(CALL, { list: [{ inner: { [name]: value } }] }))).toEqual(refused);
      }
    }
  });

  test('absent and unknown fields are not checked', () => {
    const values = { amount: undefined, reason: null, note: '', checksum: 0, list: [null] };
    expect(() => checkValues(CALL, values)).not.toThrow();
  });
});

describe('a request is checked before anything is sent', () => {
  const good: ServiceRequest = {
    method: 'GET',
    path: '/payments/{svc_uid}',
    ids: { svc_uid: 'svc_1' },
    query: { page: 1 },
    body: { amount: 1 },
  };

  test('it is valid, also without ids, query and body', () => {
    expect(checkRequest(good)).toBe('/payments/svc_1');
    expect(checkRequest({ method: 'GET', path: '/payments' })).toBe('/payments');
  });

  test('its path has its ids instead of their names', () => {
    const path = '/subscribe/{customer_uid}/of/{merchant_uid}/{payment_status}';
    const ids = { customer_uid: 'c-1', merchant_uid: 'order.1', payment_status: 'paid' };
    expect(checkRequest({ method: 'GET', path, ids })).toBe('/subscribe/c-1/of/order.1/paid');
  });

  test.each<[string, Partial<ServiceRequest>, string]>([
    ['its path', { ids: { svc_uid: '..' } }, 'malformed svc_uid'],
    ['an id that it lacks', { ids: {} }, 'malformed svc_uid'],
    ['its query', { query: { page: 0 } }, 'malformed page'],
    ['its body', { body: { amount: 0 } }, 'malformed amount'],
  ])('%s', (_name, changes, detail) => {
    const { method, path } = good;
    const refused = { kind: 'refused', method, path, detail: `${detail}, nothing was sent` };
    expect(factsOf(() => checkRequest({ ...good, ...changes }))).toEqual(refused);
  });
});
