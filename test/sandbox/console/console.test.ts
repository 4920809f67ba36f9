// The console gives people plain forms for what the controls do.

import { NOW, runReceiver, runSandbox, type Running } from '../../support/running-sandbox';

let service: Running;
let receiver: Awaited<ReturnType<typeof runReceiver>>;
beforeEach(async () => {
  receiver = await runReceiver();
  service = await runSandbox({ webhookUrl: receiver.url });
});
afterEach(async () => {
  await service.close();
  await receiver.close();
});

const page = async () => (await service.call('GET', '/console')).text;
const press = (path: string, fields: Record<string, string> = {}) =>
  service.call('POST', `/console${path}`, new URLSearchParams(fields));
const order = { merchant_uid: 'order-1', amount: '1000', customer_uid: '', notice_url: '' };

test('shows clock, settings, endpoints, test cards and what happened', async () => {
  await service.pay();
  await service.get('/payments/svc_1');
  await service.notifications();
  const html = await page();
  for (const text of [
    '2027-01-15 17:00:00 KST',
    receiver.url,
    'GET /payments/:svc_uid',
    '4000-0000-0000-0341',
    'order-1',
  ])
    expect(html).toContain(text);
  expect(html).toContain('data-outcome="accepted"');
});

test('sends a policy without unsafe-inline, and has no inline script or style', async () => {
  const answer = await service.call('GET', '/console');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(answer.text).not.toMatch(/<style|style=|<script>|onclick=/);
  for (const asset of ['/static/console.css', '/static/console.js'])
    expect((await service.call('GET', asset)).status).toBe(200);
});

test('escapes what merchants and receivers said', async () => {
  await service.pay({ merchant_uid: 'order-<b>&"', notice_url: receiver.url });
  await service.notifications();
  const html = await page();
  expect(html).not.toContain('<b>');
  expect(html).toContain('order-&lt;b&gt;');
});

test('pays, deposits, cancels and sends again in every false way, each answered with the console', async () => {
  expect((await press('/pay', { ...order, outcome: 'virtual_account' })).headers.get('location')).toBe(
    '/console',
  );
  const { svc_uid } = (await service.get('/payments/find/order-1')).body.response;
  for (const action of ['deposit', 'cancel', 'notify', 'duplicate', 'foreign', 'lie', 'forge']) {
    await service.notifications();
    expect([action, (await press(`/payments/${svc_uid}/${action}`)).status]).toEqual([action, 303]);
  }
  await service.notifications();
  expect(receiver.received).toHaveLength(3 + 1 + 5 + 1 + 1 + 1);
  expect(receiver.received.map(({ headers }) => headers['x-forwarded-for'])).toContain('203.0.113.9');
  expect((await service.get(`/payments/${svc_uid}`)).body.response.amount).toBe(1);
});

test('moves the clock, also to the next event', async () => {
  await press('/clock', { advance_seconds: '60' });
  expect((await service.control('GET', '/clock')).body.now).toBe(NOW + 60);
  await service.issueKey('card-1');
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 500, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  await press('/clock/next');
  expect((await service.control('GET', '/clock')).body.now).toBe(NOW + 500);
  expect((await service.get('/payments/find/sub-1/paid')).status).toBe(200);
});

test('saves settings, where an empty URL sends nothing and an empty box is off', async () => {
  const settings = { webhook_url: '', content_type: 'form', generation: 'newer', legacy_sends: '4' };
  const chosen = { billing_key_payments_shape: 'array', operation_errors: 'http' };
  await press('/settings', { ...settings, ...chosen, shuffle_arrival: 'on', resend_unless_ok: 'on' });
  expect((await service.control('GET', '/settings')).body).toEqual({
    ...settings,
    webhook_url: null,
    ...chosen,
    legacy_sends: 4,
    shuffle_arrival: true,
    resend_unless_ok: true,
    webhook_before_redirect: false,
    test_channel: false,
  });
});

test('arms faults and forgets them, sends the test call, and resets', async () => {
  await press('/faults', {
    endpoint: 'GET /payments/:svc_uid',
    kind: 'status',
    times: '2',
    status: '',
    delay_ms: '',
  });
  expect(await page()).toContain('status, 2 left');
  await press('/faults/clear');
  expect(await page()).not.toContain('2 left');
  await press('/test-webhook');
  expect(receiver.received[0]?.headers['x-forwarded-for']).toBe('52.78.5.241');
  await press('/reset');
  expect(await service.notifications()).toEqual([]);
});

test('says at the top of the page what could not be done', async () => {
  const answer = await press('/pay', { ...order, amount: 'much', outcome: 'paid' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('role="alert">amount: must be a whole number');
  expect((await press('/clock/next')).status).toBe(409);
});

test('refuses a button pressed by the page of another site', async () => {
  const answer = await service.call('POST', '/console/reset', new URLSearchParams(), {
    'sec-fetch-site': 'cross-site',
  });
  expect(answer.status).toBe(403);
});
