// Each event sends the notification that the document names, from an address of the service to one URL (§6.1 to §6.4).

import { CARD, CARD_THAT_FAILS } from '../../support/cards';
import { NOW, runReceiver, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const order = { merchant_uid: 'order-1', amount: 10, name: '책' };
async function payAgain(card_number: string) {
  await service.issueKey('card-1', { card_number });
  await service.post('/subscribe/payments/again', { ...order, customer_uid: 'card-1' });
}
async function payLater(card_number: string) {
  await service.issueKey('card-1', { card_number });
  const schedules = [{ ...order, schedule_at: NOW + 60 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  await service.advance(60);
}
const paySilently = async (outcome: string) => (await service.pay({ outcome, notify: false })).svc_uid;
const act = (svcUid: string, action: string, body?: object) =>
  service.control('POST', `/payments/${svcUid}/${action}`, body);
const deposit = async () => act(await paySilently('virtual_account'), 'deposit');
const cancelInConsole = async () => act(await paySilently('paid'), 'cancel');
const cancel = async () => service.post('/payments/cancel', { svc_uid: await paySilently('paid') });
const end = (outcome: string) => () => service.pay({ outcome });

type Event = [name: string, legacy: string | null, newer: string | null, cause: () => Promise<unknown>];
/** Each event of the document, its status in the two generations, and what causes it. */
const EVENTS: Event[] = [
  ['payment approved in the window', 'paid', 'paid', end('paid')],
  ['payment approved with a stored key', 'paid', 'paid', () => payAgain(CARD.card_number)],
  ['virtual account issued', 'ready', 'virtual_account_issued', end('virtual_account')],
  ['deposit into a virtual account', 'paid', 'paid', deposit],
  ['scheduled payment paid', 'paid', 'paid', () => payLater(CARD.card_number)],
  ['scheduled payment failed', 'failed', 'failed', () => payLater(CARD_THAT_FAILS)],
  ['cancelled from the admin console', 'cancelled', 'cancelled', cancelInConsole],
  ['cancelled through the API', null, null, cancel],
  ['payment failed in the window', null, 'failed', end('failed')],
  ['payment failed with a stored key', null, 'failed', () => payAgain(CARD_THAT_FAILS)],
];
const svcUid = expect.stringMatching(/^svc_\d+$/);

test.each(EVENTS)('%s sends %s (null: nothing), and %s in the newer generation', async (...event) => {
  const [, legacy, newer, cause] = event;
  await cause();
  await service.notifications();
  const first = legacy === null ? [] : [{ svc_uid: svcUid, merchant_uid: 'order-1', status: legacy }];
  expect(receiver.bodies()).toEqual(first);
  await service.control('POST', '/reset');
  await service.signIn();
  await service.settings({ generation: 'newer' });
  await cause();
  await service.notifications();
  const second = newer === null ? [] : [{ tx_id: svcUid, payment_id: 'order-1', status: newer }];
  expect(receiver.bodies()).toEqual([...first, ...second]);
});

test('delivery calls no local address on setting, by its name or by its number', async () => {
  await service.settings({ refuse_local_addresses: true });
  const { port } = new URL(receiver.url);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '192.168.0.9', '[fd00::1]'])
    await service.pay({ notice_url: `http://${host}:${port}/webhooks` });
  const attempts = (await service.notifications()).flatMap((each) => each.attempts);
  expect(attempts).toMatchObject(Array(6).fill({ answer: null, error: 'a local address cannot be called' }));
  expect(receiver.received).toEqual([]);
});

test('delivery is a POST of JSON by default, with a source address of the service, and shown with its answer', async () => {
  const { svc_uid } = await service.pay();
  const body = { svc_uid, merchant_uid: 'order-1', status: 'paid' };
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' };
  const request = { headers: expect.objectContaining(headers), body: JSON.stringify(body) };
  const answer = { status: 200, body: '{}' };
  const attempts = [{ sent_at: NOW, took_ms: expect.any(Number), request, answer, error: null }];
  const sent = {
    event: 'paid',
    generation: 'legacy',
    svc_uid,
    url: receiver.url,
    source: '52.78.100.19',
    body,
  };
  expect(await service.notifications()).toMatchObject([{ ...sent, content_type: 'json', attempts }]);
  expect(receiver.received).toMatchObject([{ headers, body: JSON.stringify(body) }]);
});

test('delivery is a form by setting, with the same fields', async () => {
  await service.settings({ content_type: 'form' });
  const { svc_uid } = await service.pay();
  await service.notifications();
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  const fields = Object.fromEntries(new URLSearchParams(body));
  expect(fields).toEqual({ svc_uid, merchant_uid: 'order-1', status: 'paid' });
});

test('delivery comes from 52.78.5.241 with ids that do not exist when the test button sends it', async () => {
  const answer = await service.control('POST', '/settings/test-webhook');
  expect(answer.body.attempts[0].answer.status).toBe(200);
  expect(receiver.received[0]?.headers['x-forwarded-for']).toBe('52.78.5.241');
  const body = { svc_uid: 'svc_1234567890', merchant_uid: 'merchant_1234567890', status: 'ready' };
  expect(receiver.bodies()).toEqual([body]);
  expect((await service.get('/payments/svc_1234567890')).status).toBe(404);
});

test('delivery goes to one URL: the setting, overridden by notice_url or noticeUrls of the request for all its events', async () => {
  const other = await runReceiver();
  const { svc_uid } = await service.pay({ notice_url: other.url });
  await act(svc_uid, 'cancel');
  await service.pay({ noticeUrls: [other.url, `${other.url}?second`] });
  await service.notifications();
  expect([receiver.received.length, other.received.length]).toEqual([0, 4]);
  await other.close();
});

test('a notification by hand is duplicated, with a false status, from another address, as asked', async () => {
  const svc_uid = await paySilently('paid');
  const asked = { status: 'cancelled', times: 3, source: '203.0.113.9' };
  expect((await act(svc_uid, 'notify', asked)).body.notifications).toHaveLength(3);
  const body = JSON.stringify({ svc_uid, merchant_uid: 'order-1', status: 'cancelled' });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect(receiver.received).toMatchObject(Array(3).fill({ body, headers }));
});
