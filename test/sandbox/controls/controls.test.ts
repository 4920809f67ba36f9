// The controls under /_sandbox change settings, move the clock, list requests and reset everything.

import { NOW, runReceiver, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

test('shows the settings and changes those that are named', async () => {
  expect((await service.control('GET', '/settings')).body).toEqual({
    webhook_url: null,
    content_type: 'json',
    generation: 'legacy',
    legacy_sends: 1,
    webhook_before_redirect: false,
    billing_key_payments_shape: 'paged',
    billing_key_schedules_shape: 'array',
    shuffle_arrival: false,
    resend_unless_ok: false,
    refuse_local_addresses: false,
    operation_errors: 'code',
    test_channel: false,
    newer_shows_channel: false,
  });
  const { body } = await service.settings({ generation: 'newer', legacy_sends: 3 });
  expect(body).toMatchObject({ generation: 'newer', legacy_sends: 3, content_type: 'json' });
});

test('tells the time and moves it forward', async () => {
  expect((await service.control('GET', '/clock')).body).toEqual({ now: NOW });
  expect((await service.advance(90)).body).toEqual({ now: NOW + 90 });
});

test('counts requests per endpoint, and lists them without query or body', async () => {
  await service.pay();
  await service.get('/payments/status/all?page=1');
  await service.get('/payments/svc_1');
  await service.get('/payments/svc_2');
  const { body } = await service.control('GET', '/requests/count?endpoint=GET%20/payments/:svc_uid');
  expect(body).toEqual({
    count: 2,
    total: 4,
    endpoints: {
      'POST /users/getToken': 1,
      'GET /payments/status/:payment_status': 1,
      'GET /payments/:svc_uid': 2,
    },
  });
  const found = '/requests/count?endpoint=GET%20/payments/:svc_uid&status=';
  expect((await service.control('GET', `${found}404`)).body).toEqual({ ...body, count: 2 });
  expect((await service.control('GET', `${found}200`)).body).toEqual({ ...body, count: 0 });
  const { requests } = (await service.control('GET', '/requests')).body;
  expect(requests[1]).toEqual({
    number: expect.any(Number),
    at: NOW,
    method: 'GET',
    endpoint: 'GET /payments/status/:payment_status',
    path: '/payments/status/all',
    svc_uid: null,
    status: 200,
    took_ms: expect.any(Number),
    bare_token: false,
    fault: null,
  });
});

test('notes an unknown path, a refused token and a fault', async () => {
  await service.call('GET', '/nothing');
  await service.call('GET', '/payments/svc_1');
  await service.control('POST', '/faults', { endpoint: 'GET /payments/:svc_uid', times: 1, kind: 'reset' });
  await expect(service.get('/payments/svc_1')).rejects.toThrow();
  const { requests } = (await service.control('GET', '/requests')).body;
  expect(requests.map((each: any) => [each.endpoint, each.status, each.fault])).toEqual([
    ['unknown', 404, null],
    ['GET /payments/:svc_uid', 401, null],
    ['POST /users/getToken', 200, null],
    ['GET /payments/:svc_uid', null, 'reset'],
  ]);
});

test('is emptied by a reset: payments, keys, schedules, tokens, faults, notifications, settings and clock', async () => {
  const receiver = await runReceiver();
  await service.settings({ webhook_url: receiver.url });
  await service.issueKey('card-1');
  const { svc_uid } = await service.pay();
  await service.post('/subscribe/payments/schedule', {
    customer_uid: 'card-1',
    schedules: [{ merchant_uid: 'sub-1', amount: 10, schedule_at: NOW + 60 }],
  });
  await service.control('POST', '/faults', { endpoint: 'POST /users/getToken', times: 9, kind: 'status' });
  await service.advance(10);

  expect((await service.control('POST', '/reset')).body).toEqual({ now: NOW });

  expect((await service.get(`/payments/${svc_uid}`)).status).toBe(401);
  await service.signIn();
  expect((await service.get(`/payments/${svc_uid}`)).status).toBe(404);
  expect((await service.get('/payments/find/order-1')).status).toBe(404);
  expect((await service.get('/payments/status/all')).body.response.total).toBe(0);
  expect((await service.get('/subscribe/customers/card-1')).status).toBe(404);
  expect((await service.get('/subscribe/payments/schedule/sub-1')).status).toBe(404);
  expect((await service.control('GET', '/settings')).body.webhook_url).toBeNull();
  expect(await service.notifications()).toEqual([]);
  await service.advance(3600);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});
