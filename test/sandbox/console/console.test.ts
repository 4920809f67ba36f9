// The console gives people plain forms for what the controls do.

import { advanceSchema } from '../../../src/sandbox/controls/control-context';
import { cancelSchema, notifySchema, tamperSchema } from '../../../src/sandbox/controls/payment-actions';
import { faultSchema } from '../../../src/sandbox/http/faults';
import { randomSchema } from '../../../src/sandbox/http/random-faults';
import { settingsSchema } from '../../../src/sandbox/notifications/settings';
import { windowPaymentSchema } from '../../../src/sandbox/payments/pay-in-window';
import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const page = async (query = '?lang=en') => (await service.call('GET', `/console${query}`)).text;
const press = (path: string, fields: Record<string, string> = {}) =>
  service.call('POST', `/console${path}?lang=en`, new URLSearchParams(fields));
/** The page that a press leads to. */
async function pressed(path: string, fields: Record<string, string> = {}): Promise<string> {
  const answer = await press(path, fields);
  expect([path, answer.status]).toEqual([path, 303]);
  return (await service.call('GET', answer.headers.get('location') ?? '')).text;
}
const order = { merchant_uid: 'order-1', amount: '1000', customer_uid: '', notice_url: '' };

test('shows clock, settings, endpoints, test cards and what happened', async () => {
  await service.pay();
  await service.get('/payments/svc_1');
  await service.notifications();
  const html = await page();
  for (const text of [
    'Jan 15, 2027, 17:00:00 KST',
    receiver.url,
    'GET /payments/:svc_uid',
    '4000-0000-0000-0341',
    'order-1',
    'accepted · 200',
  ])
    expect(html).toContain(text);
});

test('speaks Korean unless it is asked for English, and both say the same things', async () => {
  expect(await page('')).toContain('<html lang="ko">');
  expect(await page()).toContain('<html lang="en">');
  const names = (html: string) =>
    [...html.matchAll(/ (?:name|value|action)="([^"]*)"/g)].map(([, name]) => name);
  const inKorean = names(await page('?lang=ko')).map((name) => name?.replace('lang=ko', 'lang=en'));
  expect(inKorean.filter((name) => name !== 'ko')).toEqual(
    names(await page()).filter((name) => name !== 'en'),
  );
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
  for (const path of ['/console', '/console/payments', '/console/notifications', '/console/activity']) {
    const { text } = await service.call('GET', path);
    expect(text).not.toContain('<b>');
    expect([path, /order-&lt;b&gt;|svc_\d+/.test(text)]).toEqual([path, true]);
  }
});

test('has a field for every name that the controls take', async () => {
  const html = await page();
  const forms = [
    ...html.matchAll(/<form method="post" action="\/console\/([^"?]*)[^>]*>([\s\S]*?)<\/form>/g),
  ];
  const namesOf = (...actions: string[]) =>
    new Set(
      forms
        .filter(([, action]) => actions.includes(action ?? ''))
        .flatMap(([, , form]) => [...(form ?? '').matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)),
    );
  const keys = (schema: { shape: object }) => Object.keys(schema.shape);
  const missing = (schema: { shape: object }, ...actions: string[]) =>
    keys(schema).filter((name) => !namesOf(...actions).has(name));
  // The name of `notice_url` in the newer SDK.
  expect(missing(windowPaymentSchema, 'pay')).toEqual(['noticeUrls']);
  expect(missing(cancelSchema, 'cancel')).toEqual([]);
  expect(missing(tamperSchema, 'forge')).toEqual([]);
  expect(missing(notifySchema, 'forge', 'again')).toEqual([]);
  expect(missing(settingsSchema, 'settings')).toEqual([]);
  expect(missing(faultSchema, 'faults')).toEqual([]);
  expect(missing(randomSchema, 'faults/random')).toEqual([]);
  expect(missing(advanceSchema, 'clock')).toEqual([]);
  for (const action of ['deposit', 'reset']) expect(forms.map(([, name]) => name)).toContain(action);
  expect(html).toContain('formaction="/console/test-webhook?lang=en"');
});

test('succeeds at the first press of every trigger, as its form stands', async () => {
  const html = await page();
  for (const form of [
    'pay',
    'deposit',
    'lost_notification',
    'lost_answer',
    'forge',
    'again',
    'cancel',
    'method',
  ]) {
    const [, body = ''] = new RegExp(`action="/console/${form}\\?[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
    const fields = Object.fromEntries([
      ...[...body.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
      ...[...body.matchAll(/<select[^>]* name="([^"]+)">([\s\S]*?)<\/select>/g)].map(([, name, options]) => [
        name,
        /value="([^"]*)" selected/.exec(options ?? '')?.[1] ?? '',
      ]),
    ]) as Record<string, string>;
    for (const [, name = '', value = ''] of body.matchAll(/<button[^>]* name="([^"]+)" value="([^"]+)"/g)) {
      const answer = await press(`/${form}`, { ...fields, [name]: value });
      expect([form, value, answer.status]).toEqual([form, value, 303]);
    }
  }
  expect(receiver.received.map(({ headers }) => headers['x-forwarded-for'])).toContain('203.0.113.9');
});

test('says at the place of the press what came of it, and with which calls', async () => {
  const html = await pressed('/pay', { ...order, outcome: 'paid' });
  expect(html).toContain('The payment of order order-1 was made.');
  expect(html).toContain('The merchant answered: 200');
  expect(html).toMatch(/curl -X POST &#39;http:\/\/127\.0\.0\.1:\d+\/_sandbox\/payments&#39;/);
  expect(html.match(/ autofocus/g)).toHaveLength(1);
});

test('deposits, cancels and notifies again beside the payment', async () => {
  await pressed('/pay', { ...order, outcome: 'virtual_account' });
  const { svc_uid } = (await service.get('/payments/find/order-1')).body.response;
  for (const action of ['deposit', 'cancel', 'notify']) {
    const html = await pressed(`/payments/${svc_uid}/${action}`);
    expect(html).toContain('order-1');
  }
  expect(receiver.received).toHaveLength(4);
  expect((await service.get(`/payments/${svc_uid}`)).body.response.status).toBe('cancelled');
});

test('forges amount, order, status and source', async () => {
  const { svc_uid } = await service.pay();
  await pressed('/forge', { svc_uid, how: 'amount', amount: '1', currency: 'USD' });
  await pressed('/forge', { svc_uid, how: 'order', merchant_uid: 'order-2' });
  await pressed('/forge', { svc_uid, how: 'status', status: 'cancelled' });
  await pressed('/forge', { svc_uid, how: 'source', source: '203.0.113.9' });
  const record = (await service.get(`/payments/${svc_uid}`)).body.response;
  expect(record).toMatchObject({ amount: 1, currency: 'USD', merchant_uid: 'order-2' });
  const [, , , lie, foreign] = receiver.received;
  expect(lie?.body).toContain('"status":"cancelled"');
  expect(foreign?.headers['x-forwarded-for']).toBe('203.0.113.9');
});

test('moves the clock, also to the next event and to a date, and not back', async () => {
  const now = async () => (await service.control('GET', '/clock')).body.now;
  await pressed('/clock', { advance_seconds: '60' });
  expect(await now()).toBe(NOW + 60);
  await service.issueKey('card-1');
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 500, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  expect(await page()).toContain('Scheduled payment sub-1');
  await pressed('/clock/next');
  expect(await now()).toBe(NOW + 500);
  expect((await service.get('/payments/find/sub-1/paid')).status).toBe(200);
  await pressed('/clock/to', { to: '2027-01-16T17:00' });
  expect(await now()).toBe(NOW + 86_400);
  const past = await press('/clock/to', { to: '2027-01-01T00:00' });
  expect([past.status, past.text.includes('the clock only goes forward')]).toEqual([400, true]);
  expect(await now()).toBe(NOW + 86_400);
});

test('saves settings, where an empty URL sends nothing and an empty box is off', async () => {
  const settings = { webhook_url: '', content_type: 'form', generation: 'newer', legacy_sends: '4' };
  const chosen = {
    billing_key_payments_shape: 'array',
    billing_key_schedules_shape: 'paged',
    operation_errors: 'http',
  };
  await pressed('/settings', { ...settings, ...chosen, shuffle_arrival: 'on', resend_unless_ok: 'on' });
  expect((await service.control('GET', '/settings')).body).toEqual({
    ...settings,
    webhook_url: null,
    ...chosen,
    legacy_sends: 4,
    shuffle_arrival: true,
    resend_unless_ok: true,
    refuse_local_addresses: false,
    webhook_before_redirect: false,
    test_channel: false,
    newer_shows_channel: false,
  });
});

test('arms faults and forgets them, sends the test call, and resets', async () => {
  const fault = { endpoint: 'GET /payments/:svc_uid', kind: 'status', times: '2', status: '503' };
  await pressed('/faults', { ...fault, delay_ms: '', headers: 'Retry-After: 7\nX-One: two' });
  expect((await service.control('GET', '/faults')).body.faults).toEqual([
    expect.objectContaining({ status: 503, times: 2, headers: { 'Retry-After': '7', 'X-One': 'two' } }),
  ]);
  expect(await page()).toContain('status, 2 left');
  await pressed('/faults/clear');
  expect(await page()).not.toContain('2 left');
  await pressed('/faults/random', { seed: '7', count: '3' });
  expect((await service.control('GET', '/faults')).body.faults).toHaveLength(3);
  await pressed('/test-webhook');
  expect(receiver.received[0]?.headers['x-forwarded-for']).toBe('52.78.5.241');
  await pressed('/reset');
  expect(await service.notifications()).toEqual([]);
});

test('says at the form what could not be done and what to do, with what was typed', async () => {
  const answer = await press('/pay', { ...order, amount: 'much', outcome: 'paid' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('<title>Error: ');
  expect(answer.text).toMatch(
    /role="alert" id="message-pay"[^>]*>[\s\S]*Please correct the value[\s\S]*amount: must be a whole number/,
  );
  expect(answer.text).toContain('value="much"');
  expect((await press('/clock/next')).status).toBe(409);
});

test('refuses a button pressed by the page of another site', async () => {
  const answer = await service.call('POST', '/console/reset', new URLSearchParams(), {
    'sec-fetch-site': 'cross-site',
  });
  expect(answer.status).toBe(403);
});

test('repeats nothing of an address but what the view is about', async () => {
  for (const path of ['/', '/console', '/console/payments', '/console/stories', '/window']) {
    const answer = await service.call('GET', `${path}?card_number=5409-1357-2468-9012&q=tea`, undefined, {
      accept: 'text/html',
    });
    expect(answer.text).toContain('</html>');
    expect(answer.text).not.toContain('5409');
  }
  const refused = await service.call(
    'POST',
    '/console/payments/5409-1357-2468-9012/no',
    new URLSearchParams(),
  );
  expect(refused.status).toBe(404);
  expect(refused.text).not.toContain('5409');
});
