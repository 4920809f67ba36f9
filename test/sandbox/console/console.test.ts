// The console has plain forms for the controls, and searchable lists of all activity.

import { CARD } from '../../support/cards';
import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const read = async (path = '') =>
  (await service.call('GET', `/console${path}${path.includes('?') ? '&' : '?'}lang=en`)).text;
const press = (path: string, fields: Record<string, string> = {}) =>
  service.call('POST', `/console${path}?lang=en`, new URLSearchParams(fields));
/** The page that a press leads to. */
async function pressed(path: string, fields: Record<string, string> = {}): Promise<string> {
  const answer = await press(path, fields);
  expect([path, answer.status]).toEqual([path, 303]);
  return (await service.call('GET', answer.headers.get('location') ?? '')).text;
}
const show = async (path: string) => (await service.control('GET', path)).body;

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
  expect(await pressed('/clock/next')).toContain('Jan 15, 2027, 17:08:20');
  expect((await service.get('/payments/find/sub-1/paid')).status).toBe(200);
  await pressed('/clock/to', { to: '2027-01-16T17:00' });
  expect((await press('/clock/to', { to: '2027-01-01T00:00' })).status).toBe(400);
  expect(await show('/clock')).toEqual({ now: NOW + 86_400 });
});

test('lists and finds payments, keys, schedules, notifications and requests', async () => {
  await service.pay({ merchant_uid: 'not-asked-for' });
  await service.pay({ merchant_uid: 'told-1' });
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 60, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...CARD });
  await service.notifications();
  for (const [path, found] of [
    ['/activity?q=told', 'Accepted · 200'],
    ['/payments?q=told', 'told-1'],
    ['/keys?q=card-1', '5409-13**-****-9012'],
    ['/schedules?q=sub-1', 'Scheduled'],
    ['/notifications?q=told', 'Accepted'],
    ['/requests?q=payments/schedule', 'POST /subscribe/payments/schedule'],
  ] as const) {
    const html = await read(path);
    expect([path, html.includes(found), html.includes('not-asked-for')]).toEqual([path, true, false]);
    for (const secret of ['sandbox_secret', '5409-1357', '5409135724689012', await service.signIn()])
      expect(html).not.toContain(secret);
  }
});
