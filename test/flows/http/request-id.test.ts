// X-Request-Id: every answer has one of our own, and it leads to the log line and to the row of a notification.

import { request as httpRequest } from 'node:http';
import { API_KEY } from '../../support/config';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const JSON_BODY = { 'content-type': 'application/json' };
const fromService = { 'x-forwarded-for': SERVICE_ADDRESS };

const world = useWorld();

type Sample = { path: string; status: number; method?: string; headers?: object; body?: string };

/** A body that says how large it is and is not sent: the answer comes first. */
function send({ path, method = 'GET', headers = {}, body }: Sample) {
  return new Promise<{ status: number; id: unknown }>((resolve, reject) => {
    const request = httpRequest(`${world.url}${path}`, { method, headers: { ...headers } }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, id: response.headers['x-request-id'] }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

const samples: Sample[] = [
  { path: '/cards/new', status: 200 },
  { path: '/nothing', status: 404 },
  { path: '/static/base.css', status: 200 },
  { path: '/static/nothing.css', status: 404 },
  { path: '/api/orders/%E0%A4%A', status: 400, headers: { authorization: `Bearer ${API_KEY}` } },
  { path: '/healthz', status: 200 },
  { path: '/readyz', status: 200 },
  { path: '/metrics', status: 200 },
  { path: '/metrics', status: 401, headers: { 'x-forwarded-for': '203.0.113.7' } },
  { path: '/openapi.json', status: 200 },
  { path: '/api/orders', status: 401 },
  { path: '/api/nothing', status: 404, headers: { authorization: `Bearer ${API_KEY}` } },
  {
    path: '/api/orders',
    status: 400,
    method: 'POST',
    headers: { ...JSON_BODY, authorization: `Bearer ${API_KEY}` },
    body: '{',
  },
  { path: '/webhooks/payments', status: 405 },
  { path: '/webhooks/payments', status: 403, method: 'POST', headers: JSON_BODY, body: '{}' },
  { path: '/webhooks/payments', status: 415, method: 'POST', headers: fromService, body: 'x' },
  {
    path: '/webhooks/payments',
    status: 413,
    method: 'POST',
    headers: { ...JSON_BODY, ...fromService },
    body: `{"svc_uid":"${'x'.repeat(20_000)}"}`,
  },
  {
    path: '/webhooks/payments',
    status: 400,
    method: 'POST',
    headers: { ...JSON_BODY, ...fromService },
    body: '{}',
  },
  { path: '/cards', status: 403, method: 'POST', headers: { origin: 'https://elsewhere.example' }, body: '' },
];

test('every answer has a request id of ours, each its own, whatever the client sends as its own', async () => {
  const seen = new Set<unknown>();
  for (const sample of samples) {
    const headers = { ...sample.headers, 'x-request-id': '11111111-1111-4111-8111-111111111111' };
    const { status, id } = await send({ ...sample, headers });
    expect([sample.path, status, id]).toEqual([sample.path, sample.status, expect.stringMatching(UUID)]);
    seen.add(id);
  }
  expect(seen.size).toBe(samples.length);
  expect(seen).not.toContain('11111111-1111-4111-8111-111111111111');
  expect(world.log.text()).not.toContain('11111111-1111');
});

test('the id of an answer is that of its log line, and the page of an error shows it', async () => {
  const response = await fetch(`${world.url}/nothing`, { headers: { 'accept-language': 'ko' } });
  const id = response.headers.get('x-request-id') ?? '';
  expect(await response.text()).toContain(`문의하실 때 알려 주실 번호: <code>${id}</code>`);
  const english = await fetch(`${world.url}/nothing?lang=en`);
  expect(await english.text()).toContain(
    `Reference to give when you contact us: <code>${english.headers.get('x-request-id')}</code>`,
  );
  await eventually(() =>
    world.log.lines().some((line) => (line['req'] as { id?: string } | undefined)?.id === id),
  );
  const lines = world.log.lines().filter((line) => (line['req'] as { id?: string } | undefined)?.id === id);
  expect(lines).toEqual([expect.objectContaining({ res: { status: 404 } })]);
});

test('a 503 of the webhook names the request by which its error line is found', async () => {
  await world.withoutDatabase(async () => {
    const response = await fetch(`${world.url}/webhooks/payments`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...fromService },
      body: JSON.stringify({ abc_uid: 'svc_nowhere', merchant_uid: 'order-503', status: 'paid' }),
    });
    expect(response.status).toBe(503);
    const lines = world.log.events('notification_not_stored');
    expect(lines.map((line) => line['request_id'])).toEqual([response.headers.get('x-request-id')]);
  });
});

test('a notification is found by the request that brought it: in its row, the list, and the line of its retry', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 500 });
  const response = await fetch(`${world.url}/webhooks/payments`, {
    method: 'POST',
    headers: { ...JSON_BODY, ...fromService },
    body: JSON.stringify({ abc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
  });
  expect(await response.json()).toEqual({ outcome: 'queued' });
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(UUID);

  await world.sandbox.clearFaults();
  await world.advance(120);
  expect(
    await world.rows.query('select request_id, outcome from notifications where svc_uid = $1', [svcUid]),
  ).toEqual([{ request_id: id, outcome: 'recorded' }]);
  const { body } = await world.api('GET', `/api/notifications?svc_uid=${svcUid}`);
  expect(body.list).toEqual([expect.objectContaining({ request_id: id, outcome: 'recorded' })]);
  expect(world.log.events('notification_retried')).toEqual([
    expect.objectContaining({ svc_uid: svcUid, merchant_uid: merchantUid, request_id: id }),
  ]);
});
