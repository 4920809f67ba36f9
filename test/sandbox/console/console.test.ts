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
const show = async (path: string) => (await service.control('GET', path)).body;
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first);
const order = { merchant_uid: 'order-1', amount: '1000', customer_uid: '', notice_url: '' };

test('shows clock, settings, endpoints, test cards and what happened, without inline script or style', async () => {
  await service.pay();
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
  expect(html).not.toMatch(/<style|style=|<script>|onclick=/);
  for (const asset of ['/static/console.css', '/static/console.js'])
    expect((await service.call('GET', asset)).status).toBe(200);
});

test('speaks Korean unless it is asked for English, and both say the same things', async () => {
  const names = (html: string) => matches(html, / (?:name|value|action)="([^"]*)"/g);
  const korean = await page('');
  const english = await page();
  expect(korean).toContain('<html lang="ko">');
  expect(english).toContain('<html lang="en">');
  const inEnglish = names(await page('?lang=ko')).map((name) => name.replace('lang=ko', 'lang=en'));
  expect(inEnglish.filter((name) => name !== 'ko')).toEqual(names(english).filter((name) => name !== 'en'));
});

test('escapes what merchants and receivers said', async () => {
  await service.pay({ merchant_uid: 'order-<b>&"' });
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
  const actions = forms.map(([, action]) => action ?? '');
  const missing = (schema: { shape: object }, ...wanted: string[]) => {
    const names = forms
      .filter(([, action = '']) => wanted.includes(action))
      .flatMap(([, , form = '']) => matches(form, / name="([^"]+)"/g));
    return Object.keys(schema.shape).filter((name) => !names.includes(name));
  };
  expect([
    missing(windowPaymentSchema, 'pay'),
    missing(cancelSchema, 'cancel'),
    missing(tamperSchema, 'forge'),
    missing(notifySchema, 'forge', 'again'),
    missing(settingsSchema, 'settings'),
    missing(faultSchema, 'faults'),
    missing(randomSchema, 'faults/random'),
    missing(advanceSchema, 'clock'),
    // The name of `notice_url` in the newer SDK is missing.
  ]).toEqual([['noticeUrls'], ...Array(7).fill([])]);
  expect(actions).toEqual(expect.arrayContaining(['deposit', 'reset']));
  expect(html).toContain('formaction="/console/test-webhook?lang=en"');
});

test.each(['pay', 'deposit', 'lost_notification', 'lost_answer', 'forge', 'again', 'cancel', 'method'])(
  'succeeds at the first press of every trigger, as its form stands: %s',
  async (form) => {
    const html = await page();
    const [, body = ''] = new RegExp(`action="/console/${form}\\?[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
    const inputs = body.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g);
    const selects = body.matchAll(/<select[^>]* name="([^"]+)">[\s\S]*?value="([^"]*)" selected/g);
    const fields = Object.fromEntries([...inputs, ...selects].map(([, name, value]) => [name, value]));
    const buttons = [...body.matchAll(/<button[^>]* name="([^"]+)" value="([^"]+)"/g)];
    expect(buttons).not.toEqual([]);
    for (const [, name = '', value = ''] of buttons) await pressed(`/${form}`, { ...fields, [name]: value });
  },
);

test('says at the place of the press what came of it, and with which calls', async () => {
  const html = await pressed('/pay', { ...order, outcome: 'paid' });
  expect(html).toContain('The payment of order order-1 was made.');
  expect(html).toContain('The merchant answered: 200');
  expect(html).toMatch(/curl -X POST &#39;http:\/\/127\.0\.0\.1:\d+\/_sandbox\/payments&#39;/);
  expect(html.match(/ autofocus/g)).toHaveLength(1);
});

test('deposits, forges and cancels beside the payment', async () => {
  await pressed('/pay', { ...order, outcome: 'virtual_account' });
  const { svc_uid } = (await service.get('/payments/find/order-1')).body.response;
  await pressed(`/payments/${svc_uid}/deposit`);
  await pressed('/forge', { svc_uid, how: 'amount', amount: '1000', currency: 'USD' });
  await pressed('/forge', { svc_uid, how: 'order', merchant_uid: 'order-2' });
  const forged = { currency: 'USD', merchant_uid: 'order-2', status: 'paid' };
  expect((await service.get(`/payments/${svc_uid}`)).body.response).toMatchObject(forged);
  await pressed('/forge', { svc_uid, how: 'status', status: 'failed' });
  await pressed('/forge', { svc_uid, how: 'source', source: '203.0.113.9' });
  await pressed(`/payments/${svc_uid}/cancel`);
  const statuses = receiver.bodies().map(({ status }) => status);
  expect(statuses).toEqual(['ready', 'paid', 'paid', 'paid', 'failed', 'paid', 'cancelled']);
  expect(receiver.received.at(-2)?.headers['x-forwarded-for']).toBe('203.0.113.9');
});

test('moves the clock, also to the next event and to a date, and not back', async () => {
  await pressed('/clock', { advance_seconds: '60' });
  expect(await show('/clock')).toEqual({ now: NOW + 60 });
  await service.issueKey('card-1');
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 500, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  expect(await page()).toContain('Scheduled payment sub-1');
  await pressed('/clock/next');
  expect(await show('/clock')).toEqual({ now: NOW + 500 });
  expect((await service.get('/payments/find/sub-1/paid')).status).toBe(200);
  await pressed('/clock/to', { to: '2027-01-16T17:00' });
  const past = await press('/clock/to', { to: '2027-01-01T00:00' });
  const text = expect.stringContaining('the clock only goes forward');
  expect(past).toMatchObject({ status: 400, text });
  expect(await show('/clock')).toEqual({ now: NOW + 86_400 });
});

test('saves settings, where an empty URL sends nothing and an empty box is off', async () => {
  await service.settings({ webhook_before_redirect: true });
  const chosen = { content_type: 'form', generation: 'newer', operation_errors: 'http' };
  const on = { shuffle_arrival: 'on', resend_unless_ok: 'on' };
  await pressed('/settings', { webhook_url: '', legacy_sends: '4', ...chosen, ...on });
  expect(await show('/settings')).toMatchObject({
    ...chosen,
    webhook_url: null,
    legacy_sends: 4,
    shuffle_arrival: true,
    resend_unless_ok: true,
    webhook_before_redirect: false,
  });
});

test('arms faults and forgets them, sends the test call, and resets', async () => {
  const fault = { endpoint: 'GET /payments/:svc_uid', kind: 'status', times: '2', status: '503' };
  await pressed('/faults', { ...fault, delay_ms: '', headers: 'Retry-After: 7\nX-One: two' });
  const headers = { 'Retry-After': '7', 'X-One': 'two' };
  expect(await show('/faults')).toMatchObject({ faults: [{ status: 503, times: 2, headers }] });
  expect(await page()).toContain('status, 2 left');
  await pressed('/faults/clear');
  await pressed('/faults/random', { seed: '7', count: '3' });
  expect((await show('/faults')).faults).toHaveLength(3);
  await pressed('/test-webhook');
  expect(receiver.received[0]?.headers['x-forwarded-for']).toBe('52.78.5.241');
  await pressed('/reset');
  expect(await service.notifications()).toEqual([]);
});

test('says at the form what could not be done and what to do, with what was typed', async () => {
  const { status, text } = await press('/pay', { ...order, amount: 'much', outcome: 'paid' });
  expect(status).toBe(400);
  expect(text).toContain('<title>Error: ');
  expect(text).toMatch(
    /role="alert" id="message-pay"[^>]*>[\s\S]*Please correct the value[\s\S]*amount: must be a whole number/,
  );
  expect(text).toContain('value="much"');
  expect((await press('/clock/next')).status).toBe(409);
  const fromAnotherSite = { 'sec-fetch-site': 'cross-site' };
  const refused = await service.call('POST', '/console/reset', new URLSearchParams(), fromAnotherSite);
  expect(refused.status).toBe(403);
});

test('repeats nothing of an address but what the view is about', async () => {
  const headers = { accept: 'text/html' };
  for (const path of ['/', '/console', '/console/payments', '/console/stories', '/window']) {
    const query = 'card_number=5409-1357-2468-9012&q=tea';
    const { text } = await service.call('GET', `${path}?${query}`, undefined, headers);
    expect(text).toContain('</html>');
    expect(text).not.toContain('5409');
  }
  const refused = await press('/payments/5409-1357-2468-9012/no');
  expect(refused.status).toBe(404);
  expect(refused.text).not.toContain('5409');
});
