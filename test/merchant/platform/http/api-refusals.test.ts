// Requests that the JSON API refuses without database and service: wrong keys, with growing delays, and invalid queries. And the
// answers after a failed call to the service.

import request from 'supertest';
import { createApp } from '../../../../src/merchant/app';
import { API, FEATURES } from '../../../../src/merchant/features';
import {
  ServiceError,
  type ServiceErrorKind,
} from '../../../../src/merchant/payment-service/records/service-error';
import { createContext } from '../../../../src/merchant/platform/context';
import { DatabaseError } from '../../../../src/merchant/platform/errors';
import { errorResponse } from '../../../../src/merchant/platform/http/error-response';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { createManualClock } from '../../../support/clock';
import { API_KEY, testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';

const log = createRecordedLog();
const clock = createManualClock();
const context = createContext({ config: testConfig(), clock, logger: log.logger, features: FEATURES });
const app = createApp(context, createReadiness(context));
beforeEach(() => {
  log.clear();
  // Wrong keys of other tests no longer count.
  clock.advance(24 * 3600);
});

async function ask(key: string | null, from = '203.0.113.7', path = '/api/nothing') {
  // Escaped as `fetch` does it.
  const { pathname, search } = new URL(path, 'http://localhost');
  return request(app)
    .get(pathname + search)
    .set({ 'x-forwarded-for': from, ...(key !== null && { authorization: `Bearer ${key}` }) });
}

describe('a key', () => {
  const WRONG = 'a-wrong-key-0123';
  const statuses = async (times: number, key: string | null) => {
    const answers = [];
    for (let time = 0; time < times; time += 1) answers.push((await ask(key)).status);
    return answers;
  };

  test.each([
    ['its beginning', API_KEY.slice(0, -1)],
    ['more than it', `${API_KEY}0`],
    ['another last character', `${API_KEY.slice(0, -1)}_`],
    ['another first character', `_${API_KEY.slice(1)}`],
    ['the same in capitals', API_KEY.toUpperCase()],
  ])('M37 the API key is compared completely: %s is a 401', async (_, key) => {
    expect((await ask(key)).status).toBe(401);
  });

  test('is required by every route that is described so', async () => {
    const paths = API.routes.filter(({ access }) => access !== 'open').map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths)
      expect([path, (await ask(null, '203.0.113.9', path)).status]).toEqual([path, 401]);
  });

  test('that is wrong ten times in a minute causes a 429 for its network, but not for others or the right key', async () => {
    expect(await statuses(12, WRONG)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const limited = await ask('another-wrong-key');
    expect(limited).toMatchObject({ status: 429, body: { error: { code: 'too_many_wrong_keys' } } });
    expect(limited.headers).toMatchObject({ 'retry-after': '60' });
    expect((await ask(API_KEY)).status).toBe(404);
    expect((await ask(WRONG, '203.0.113.8')).status).toBe(401);
    const refusal = { source: '203.0.113.7', reason: 'too_many' };
    expect(log.events('api_key_refused')).toContainEqual(expect.objectContaining(refusal));
    expect(log.text()).not.toContain(WRONG);
    clock.advance(60);
    expect((await ask(WRONG)).status).toBe(401);
  });

  test('that is wrong counts for the whole /64 of an IPv6 address', async () => {
    const from = async (address: string) => (await ask(WRONG, address)).status;
    for (let host = 1; host <= 10; host += 1) expect(await from(`2001:db8:7:7:${host}::1`)).toBe(401);
    expect(await from('2001:db8:7:7::ffff')).toBe(429);
    expect(await from('2001:db8:7:8::1')).toBe(401);
  });

  test('that is missing is no guess', async () => {
    expect(await statuses(12, null)).toEqual(Array<number>(12).fill(401));
    expect((await ask(WRONG)).status).toBe(401);
  });
});

const NINETY_DAYS = 90 * 86_400;
const MORNING = '2026-11-21T09:00:00';

// How numbers, times and pages are written is in test/properties/paging.test.ts.
test.each([
  ['payments?page=0', 'page'],
  ['payments?sorting=amount', 'sorting'],
  [`payments?from=0&to=${NINETY_DAYS + 1}`, 'from'],
  ['payments?form=1', 'query'],
  ['payments?constructor=1&__proto__=2', 'query'],
  ['billing-keys', 'customer_uid[]'],
  [`billing-keys?${'customer_uid[]=a&'.repeat(101).slice(0, -1)}`, 'customer_uid[]'],
  ['schedules', 'schedule_from'],
  ['schedules?schedule_from=1&schedule_to=2&sorting=-scheduled', 'sorting'],
  ['notifications?open=yes', 'open'],
  ['notifications?after=0', 'after'],
  ['notifications?limit=1001', 'limit'],
  ['notifications?from=1793491200', 'from: must be ISO 8601 with an offset'],
  [`notifications?from=${MORNING}`, 'from'],
  [`notifications?to=${MORNING}Z&to=${MORNING}Z`, 'to'],
  [`notifications?from=${MORNING}Z&to=${MORNING}%2B01:00`, 'from'],
  ['discrepancies?page=2', 'query'],
])('GET /api/%s is a 400 that names the field', async (path, field) => {
  const { status, body } = await ask(API_KEY, undefined, `/api/${path}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(field);
});

const post = (path: string, body: string, type = 'application/json') =>
  request(app)
    .post(path)
    .set({ authorization: `Bearer ${API_KEY}`, 'content-type': type })
    .send(body);

describe('an error says what to correct', () => {
  const order = { merchant_uid: 'order-1', name: 'Tea', amount: 1000 };

  test.each<[object, string | undefined, string]>([
    [{}, 'merchant_uid', 'merchant_uid: is required; name: is required; amount: is required'],
    [{ ...order, amount: '1' }, 'amount', 'amount: must be a number'],
    [{ ...order, amount: 0 }, 'amount', 'amount: must be at least 1'],
    [{ ...order, name: '' }, 'name', 'name: must not be empty'],
    [
      { ...order, buyer: { name: 'n'.repeat(17) } },
      'buyer.name',
      'buyer.name: must have at most 16 characters',
    ],
    [{ ...order, memberid: 'x' }, 'memberid', 'body: has unknown fields: memberid'],
    [{ ...order, '<script>': 1 }, undefined, 'body: has unknown fields: a name that is not repeated here'],
    [[], undefined, 'body: must be an object'],
  ])('%j', async (body, param, message) => {
    const answer = await post('/api/orders', JSON.stringify(body));
    expect([answer.status, answer.body.error.param, answer.body.error.message]).toEqual([
      400,
      param,
      message,
    ]);
  });

  test.each(['{"amount":', 'null', '"text"', ''])('the body %j is a 400', async (body) => {
    expect((await post('/api/orders', body)).status).toBe(400);
  });

  test('in a format that is not JSON with a 415', async () => {
    const answer = await post('/api/orders', 'merchant_uid=order-1', 'application/x-www-form-urlencoded');
    expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_type']);
    expect(answer.body.error.message).toContain('application/json');
  });

  /** One wrong value of each type, in the place of every field of every route. */
  test('in our own words, for every field of every route', async () => {
    const messages: string[] = [];
    for (const { path, body } of API.handled.filter(({ method }) => method === 'post')) {
      const example = body?.example ?? {};
      for (const wrong of [null, -1.5, 'x'.repeat(3000)])
        for (const field of Object.keys(example)) {
          const sent = JSON.stringify({ ...example, [field]: wrong });
          const answer = await post(path.replaceAll(/[{}]/g, ''), sent);
          if (answer.status === 400) messages.push(answer.body.error.message);
        }
    }
    expect(messages.length).toBeGreaterThan(50);
    expect(messages.filter((message) => /invalid|expected|received|too (big|small)/i.test(message))).toEqual(
      [],
    );
  });
});

test('an invalid customer_uid is a 404 without a call', async () => {
  const answer = await ask(API_KEY, undefined, '/api/billing-keys/..%2Fusers/payments');
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'billing_key_not_found' } } });
});

// Never a 500, and a 401 only for the caller's own key.
test.each<[ServiceErrorKind, number, string]>([
  ['refused', 400, 'service_refused'],
  ['not_found', 404, 'service_not_found'],
  ['unauthorized', 502, 'service_unauthorized'],
  ['bad_answer', 502, 'service_bad_answer'],
  ['rate_limited', 503, 'service_unavailable'],
  ['unreachable', 503, 'service_unavailable'],
  ['no_answer', 503, 'service_unavailable'],
  ['server_error', 503, 'service_unavailable'],
])('a call to the service that ended as %s is answered %i %s', (kind, status, code) => {
  const words = { serviceMessage: 'no', retryAfterSeconds: 7 };
  const response = errorResponse(new ServiceError({ kind, method: 'GET', path: '/x', ...words }));
  expect(response).toMatchObject({ status, code });
  // The message of the service is passed on after a refusal.
  expect(response.message === 'no').toBe(['refused', 'not_found', 'unauthorized'].includes(kind));
  expect(response.retryAfterSeconds).toBe(status === 503 ? 7 : undefined);
});

test('a database error is a 503, and an unexpected error a 500 without its message', () => {
  const away = errorResponse(new DatabaseError('57014'));
  expect(away).toMatchObject({ status: 503, code: 'database_unavailable' });
  const unexpected = errorResponse(new Error('a secret'));
  expect(unexpected).toMatchObject({ status: 500, code: 'internal_error' });
  expect(unexpected.message).not.toContain('secret');
});
