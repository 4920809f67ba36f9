// A list of the JSON API refuses an unknown or impossible query with a 400 that names the field, before it asks anybody:
// neither a database nor the service is there. How numbers, times and pages are written is in test/properties/paging.test.ts.

import request from 'supertest';
import { createApp } from '../../../src/merchant/app';
import { createContext } from '../../../src/merchant/context';
import { createReadiness } from '../../../src/merchant/readiness';
import { createManualClock } from '../../support/clock';
import { API_KEY, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const { logger } = createRecordedLog();
const context = createContext({ config: testConfig(), clock: createManualClock(), logger });
const app = createApp(context, createReadiness(context));
/** Escaped as `fetch` does it. */
function get(path: string) {
  const { pathname, search } = new URL(`/api/${path}`, 'http://localhost');
  return request(app)
    .get(pathname + search)
    .set('authorization', `Bearer ${API_KEY}`);
}

const NINETY_DAYS = 90 * 86_400;
const MORNING = '2026-11-21T09:00:00';

test.each([
  ['payments?status=lost', 'status'],
  ['payments?page=0', 'page'],
  ['payments?page=1&page=2', 'page'],
  ['payments?page=%31%00', 'page'],
  ['payments?page=９', 'page'],
  ['payments?limit=1001', 'limit'],
  ['payments?sorting=amount', 'sorting'],
  ['payments?from=yesterday', 'from'],
  ['payments?from=0', 'from'],
  [`payments?from=0&to=${NINETY_DAYS + 1}`, 'from'],
  ['payments?from=2&to=1', 'from'],
  ['payments?to=99999999999999', 'to'],
  ['payments?form=1', 'query'],
  ['payments?constructor=1&__proto__=2', 'query'],
  ['billing-keys', 'customer_uid[]'],
  ['billing-keys?customer_uid[]=', 'customer_uid[]'],
  ['billing-keys?customer_uid[]=../users/getToken', 'customer_uid[]'],
  [`billing-keys?${'customer_uid[]=a&'.repeat(101).slice(0, -1)}`, 'customer_uid[]'],
  ['billing-keys/card-1/payments?page=0', 'page'],
  ['schedules', 'schedule_from'],
  ['schedules?schedule_from=1', 'schedule_to'],
  ['schedules?schedule_from=2&schedule_to=1', 'schedule_from'],
  ['schedules?schedule_from=1&schedule_to=soon', 'schedule_to'],
  ['schedules?schedule_from=1&schedule_to=2&schedule_status=paid', 'schedule_status'],
  ['schedules?schedule_from=1&schedule_to=2&limit=1001', 'limit'],
  ['schedules?schedule_from=1&schedule_to=2&sorting=-scheduled', 'sorting'],
  ['notifications?svc_uid=a/b', 'svc_uid'],
  ['notifications?merchant_uid=..', 'merchant_uid'],
  ['notifications?outcome=fine', 'outcome'],
  ['notifications?open=yes', 'open'],
  ['notifications?after=0', 'after'],
  ['notifications?limit=1001', 'limit'],
  ['notifications?from=1793491200', 'from'],
  ['notifications?from=2026-11-21', 'from'],
  [`notifications?from=${MORNING}`, 'from'],
  ['notifications?from=2026-02-30T09:00:00Z', 'from'],
  ['notifications?from=2026-11-21 09:00:00Z', 'from'],
  ['notifications?from=0000-01-01T00:00:00Z', 'from'],
  ['notifications?to=9999-12-31T23:59:59-10:00', 'to'],
  [`notifications?to=${MORNING}Z&to=${MORNING}Z`, 'to'],
  [`notifications?from=${MORNING}Z&to=${MORNING}%2B01:00`, 'from'],
  ['discrepancies?to=soon', 'to'],
  ['discrepancies?kind=amount', 'kind'],
  ['discrepancies?page=2', 'query'],
])('GET /api/%s is a 400 that names the field', async (path, field) => {
  const { status, body } = await get(path);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(field);
});

test('a time that is none is told once what it must be', async () => {
  const { body } = await get('notifications?from=1793491200');
  expect(body.error.message).toMatch(/^from: must be ISO 8601 with an offset, such as \S+$/);
});

test('a customer_uid that can be none is a 404 without a call', async () => {
  const { status, body } = await get('billing-keys/..%2Fusers/payments');
  expect([status, body.error.code]).toEqual([404, 'billing_key_not_found']);
});
