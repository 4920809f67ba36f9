// The console gives people plain forms for what the controls do, and shows what happened: a stream grouped by payment, and
// lists of everything with a search and pages.

import { advanceSchema } from '../../../src/sandbox/controls/control-context';
import { cancelSchema, notifySchema, tamperSchema } from '../../../src/sandbox/controls/payment-actions';
import { faultSchema } from '../../../src/sandbox/http/faults';
import { randomSchema } from '../../../src/sandbox/http/random-faults';
import { settingsSchema } from '../../../src/sandbox/notifications/settings';
import { windowPaymentSchema } from '../../../src/sandbox/payments/pay-in-window';
import { CARD } from '../../support/cards';
import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver(({ body }) => (body.includes('refused') ? 400 : 200));
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const read = async (path = '', lang = 'en') =>
  (await service.call('GET', `/console${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)).text;
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
/** The payments of the stream, the first on top. */
const groups = (html: string) => matches(html, /(<article class="panel group[\s\S]*?<\/article>)/g);
const orders = (html: string) => groups(html).map((group) => /<h3>(\S+)/.exec(group)?.[1]);

test('says at the place of the press what came of it, and with which calls', async () => {
  const html = await pressed('/pay', { merchant_uid: 'order-1', amount: '1000', outcome: 'paid' });
  for (const said of ['The payment of order order-1 was made.', 'The merchant answered: 200'])
    expect(html).toContain(said);
  expect(html).toMatch(/curl -X POST &#39;http:\/\/127\.0\.0\.1:\d+\/_sandbox\/payments&#39;/);
  expect(html.match(/ autofocus/g)).toHaveLength(1);
  expect(html).not.toMatch(/<style|style=|<script>|onclick=/);
});

test('says at the form what could not be done and what to do, with what was typed', async () => {
  const { status, text } = await press('/pay', { merchant_uid: 'order-1', amount: 'much', outcome: 'paid' });
  expect(status).toBe(400);
  expect(text).toMatch(/role="alert" id="message-pay"[^>]*>[^]*amount: must be a whole number/);
  expect(text).toContain('value="much"');
  expect((await press('/clock/next')).status).toBe(409);
  const fromAnotherSite = { 'sec-fetch-site': 'cross-site' };
  const refused = await service.call('POST', '/console/reset', new URLSearchParams(), fromAnotherSite);
  expect(refused.status).toBe(403);
});

test('speaks Korean unless it is asked for English, and both say the same things', async () => {
  expect((await service.call('GET', '/console')).text).toContain('<html lang="ko">');
  expect(await read()).toContain('<html lang="en">');
  const names = (html: string) => matches(html, / (?:name|value|action)="([^"]*)"/g);
  const inEnglish = names(await read('', 'ko')).map((name) => name.replace('lang=ko', 'lang=en'));
  expect(inEnglish.filter((name) => name !== 'ko')).toEqual(
    names(await read()).filter((name) => name !== 'en'),
  );
});

test('escapes what merchants said, and repeats nothing of an address but what the view is about', async () => {
  await service.pay({ merchant_uid: 'order-<b>&"' });
  await service.notifications();
  const headers = { accept: 'text/html' };
  const pages = ['', '/payments', '/notifications', '/activity', '/stories'].map((path) => `/console${path}`);
  for (const path of ['/', '/window', ...pages]) {
    const address = `${path}?card_number=5409-1357-2468-9012&q=order`;
    expect((await service.call('GET', address, undefined, headers)).text).not.toMatch(/<b>|5409/);
  }
  expect(await read('/activity')).toContain('order-&lt;b&gt;');
  const refused = await press('/payments/5409-1357-2468-9012/no');
  expect([refused.status, refused.text.includes('5409')]).toEqual([404, false]);
});

test.each([
  ['pay', windowPaymentSchema],
  ['cancel', cancelSchema],
  ['forge', tamperSchema],
  ['forge|again', notifySchema],
  ['settings', settingsSchema],
  ['faults', faultSchema],
  ['faults/random', randomSchema],
  ['clock', advanceSchema],
])('has a field for every name that the controls take: %s', async (action, { shape }) => {
  const form = new RegExp(
    `<form method="post" action="/console/(?:${action})\\?[^>]*>([\\s\\S]*?)</form>`,
    'g',
  );
  const names = matches(await read(), form).flatMap((each) => matches(each, / name="([^"]+)"/g));
  // The last one is the name of `notice_url` in the newer SDK.
  expect([...names, 'noticeUrls']).toEqual(expect.arrayContaining(Object.keys(shape)));
});

test.each(['pay', 'deposit', 'lost_notification', 'lost_answer', 'forge', 'again', 'cancel', 'method'])(
  'succeeds at the first press of every trigger, as its form stands: %s',
  async (action) => {
    const form = new RegExp(`action="/console/${action}\\?[^>]*>([\\s\\S]*?)</form>`);
    const [, body = ''] = form.exec(await read()) ?? [];
    const inputs = body.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g);
    const selects = body.matchAll(/<select[^>]* name="([^"]+)">[\s\S]*?value="([^"]*)" selected/g);
    const fields = Object.fromEntries([...inputs, ...selects].map(([, name, value]) => [name, value]));
    const buttons = [...body.matchAll(/<button[^>]* name="([^"]+)" value="([^"]+)"/g)];
    expect(buttons).not.toEqual([]);
    for (const [, name = '', value = ''] of buttons)
      await pressed(`/${action}`, { ...fields, [name]: value });
  },
);

test('deposits, forges and cancels beside the payment', async () => {
  const { svc_uid } = await service.pay({ outcome: 'virtual_account' });
  await pressed(`/payments/${svc_uid}/deposit`);
  await pressed('/forge', { svc_uid, how: 'amount', amount: '900', currency: 'USD' });
  await pressed('/forge', { svc_uid, how: 'order', merchant_uid: 'order-2' });
  const forged = { amount: 900, currency: 'USD', merchant_uid: 'order-2', status: 'paid' };
  expect((await service.get(`/payments/${svc_uid}`)).body.response).toMatchObject(forged);
  await pressed('/forge', { svc_uid, how: 'status', status: 'failed' });
  await pressed('/forge', { svc_uid, how: 'source', source: '203.0.113.9' });
  await pressed(`/payments/${svc_uid}/cancel`);
  const statuses = receiver.bodies().map(({ status }) => status);
  expect(statuses).toEqual(['ready', 'paid', 'paid', 'paid', 'failed', 'paid', 'cancelled']);
  expect(receiver.received.at(-2)?.headers['x-forwarded-for']).toBe('203.0.113.9');
});

test('moves the clock, also to the next event and to a date, and not back', async () => {
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 500, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...CARD });
  await pressed('/clock', { advance_seconds: '60' });
  expect(await show('/clock')).toEqual({ now: NOW + 60 });
  expect(await pressed('/clock/next')).toContain('Jan 15, 2027, 17:08:20 KST');
  expect((await service.get('/payments/find/sub-1/paid')).status).toBe(200);
  await pressed('/clock/to', { to: '2027-01-16T17:00' });
  expect((await press('/clock/to', { to: '2027-01-01T00:00' })).status).toBe(400);
  expect(await show('/clock')).toEqual({ now: NOW + 86_400 });
});

test('saves settings, where an empty URL sends nothing and an empty box is off', async () => {
  await service.settings({ webhook_before_redirect: true });
  const chosen = { content_type: 'form', generation: 'newer', operation_errors: 'http' };
  await pressed('/settings', { webhook_url: '', legacy_sends: '4', ...chosen, shuffle_arrival: 'on' });
  const boxes = { shuffle_arrival: true, webhook_before_redirect: false };
  const saved = { ...chosen, ...boxes, webhook_url: null, legacy_sends: 4 };
  expect(await show('/settings')).toMatchObject(saved);
});

test('arms faults and forgets them, sends the test call, and resets', async () => {
  const fault = { endpoint: 'GET /payments/:svc_uid', kind: 'status', times: '2', status: '503' };
  const html = await pressed('/faults', { ...fault, delay_ms: '', headers: 'Retry-After: 7\nX-One: two' });
  expect(html).toContain('status, 2 left');
  const headers = { 'Retry-After': '7', 'X-One': 'two' };
  expect(await show('/faults')).toMatchObject({ faults: [{ status: 503, times: 2, headers }] });
  await pressed('/faults/clear');
  await pressed('/faults/random', { seed: '7', count: '3' });
  expect((await show('/faults')).faults).toHaveLength(3);
  await pressed('/test-webhook');
  expect(receiver.received).toHaveLength(1);
  await pressed('/reset');
  expect(await service.notifications()).toEqual([]);
});

test('groups by payment, the newest on top, each with its notification, the answer to it and the look at it', async () => {
  const { svc_uid } = await service.pay();
  await service.get(`/payments/${svc_uid}`);
  for (const status of ['paid', 'failed']) await service.get(`/payments/status/${status}`);
  await service.advance(5);
  await service.issueKey('card-1');
  const again = { customer_uid: 'card-1', merchant_uid: 'order-2', amount: 1000, name: 'Tea' };
  await service.post('/subscribe/payments/again', again);
  await service.notifications();
  const html = await read('/activity');
  expect(orders(html)).toEqual(['order-2', 'order-1']);
  const [newest, group] = groups(html);
  for (const said of [
    'Notification · paid',
    'accepted · 200',
    receiver.received[0]?.body.replaceAll('"', '&quot;'),
    'The merchant looked · GET /payments/:svc_uid',
    `/payments/${svc_uid}&#39; -H &quot;Authorization: Bearer $ACCESS_TOKEN&quot;`,
  ])
    expect(group).toContain(said);
  expect(newest).not.toContain('The merchant looked');
  // Tokens and lists are one line each.
  expect(html).toMatch(/Tokens issued: 1[^]*Lists read: 2|Lists read: 2[^]*Tokens issued: 1/);
  for (const secret of ['sandbox_secret', '5409-1357', '5409135724689012', await service.signIn()])
    expect(html).not.toContain(secret);
});

test('searches and filters the stream by the address', async () => {
  await service.pay();
  await service.pay({ merchant_uid: 'waiting-1', outcome: 'virtual_account' });
  await service.pay({ merchant_uid: 'refused-1' });
  await service.notifications();
  expect(orders(await read('/activity?q=der-1'))).toEqual(['order-1']);
  expect(orders(await read('/activity?show=trouble'))).toEqual(['refused-1']);
  expect(orders(await read('/activity?show=waiting'))).toEqual(['waiting-1']);
  expect(await read('?q=nothing')).toMatch(/value="nothing"[^]*Nothing matches/);
});

test('lists payments in pages, keys, schedules, notifications and requests, and finds in each', async () => {
  await service.settings({ webhook_url: null });
  for (let number = 1; number <= 52; number += 1) await service.pay({ merchant_uid: `order-${number}` });
  await service.settings({ webhook_url: receiver.url });
  await service.pay({ merchant_uid: 'told-1' });
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 60, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...CARD });
  for (const [path, rows, text] of [
    ['/payments', 50, 'page=2'],
    ['/payments?page=2', 3, 'order-1'],
    ['/payments?page=-1', 50, '53 in all'],
    ['/payments?q=told', 1, 'told-1'],
    ['/keys?q=card-1', 1, '5409'],
    ['/schedules?q=sub-1', 1, 'scheduled'],
    ['/notifications?q=told-1', 1, 'accepted'],
    ['/requests?q=payments/schedule', 1, 'POST /subscribe/payments/schedule'],
  ] as const) {
    const html = await read(path);
    expect([path, matches(html, /<(tr)>/g).length - 1, html.includes(text)]).toEqual([path, rows, true]);
  }
});
