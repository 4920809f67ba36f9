// The signed form of the newer generation (§5.8): the sandbox signs with its secret, which is the second of the merchant's two,
// as during a rotation. Changed requests are those that the sandbox has sent, sent once more.

import { Webhook } from 'standardwebhooks';
import { defaultConfig } from '../../../src/sandbox/config';
import { ask } from '../../support/ask';
import { discrepancyOf } from '../../support/discrepancies';
import { metric } from '../../support/metrics';
import { discrepanciesOf, getOrder, notificationsOf, paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { TEST_BUTTON_ADDRESS } from '../../support/world';

const secretOf = (words: string) => `whsec_${Buffer.from(words).toString('base64')}`;
const FIRST_SECRET = secretOf('the first secret of these tests');
const OTHER_SECRET = secretOf('a secret that the merchant lacks');

const world = useWorld({
  environment: { WEBHOOK_SECRET: `${FIRST_SECRET},${defaultConfig.webhookSecret}` },
});
beforeAll(() => world.sandbox.settings({ generation: 'newer', newer_signed: true }));

type Request = { headers: Record<string, string>; body: string };

/** Sends a notification of this type by the sandbox. Returns the request and the answer. */
async function notifyFromSandbox(svcUid: string, fields: Record<string, unknown> = {}) {
  const { request, answer } = await sendFromSandbox(svcUid, fields);
  return { request, status: answer.status, ...(JSON.parse(answer.body) as { outcome?: string }) };
}

async function sendFromSandbox(svcUid: string, fields: Record<string, unknown> = {}) {
  const { notifications } = await world.sandbox.control(svcUid, 'notify', fields);
  return notifications[0].attempts[0] as { request: Request; answer: { status: number; body: string } };
}

async function post({ headers, body }: Request) {
  const answer = await ask(world.url, 'POST', '/webhooks/payments', { headers, body });
  return { status: answer.status, ...(answer.body as object) };
}

/** The request, signed by us with this secret at this time. */
function signWith(secret: string, { headers, body }: Request, sentAt: Date): Request {
  const [id, seconds] = ['msg_of_the_tests', String(Math.floor(sentAt.getTime() / 1000))];
  const signature = new Webhook(secret).sign(id, sentAt, body);
  const signed = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature };
  return { headers: { ...headers, ...signed }, body };
}

async function payOrder() {
  const uid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, uid);
  return { uid, svcUid };
}

/** A genuine request about a paid order, of which the merchant has stored nothing. */
async function requestNotDelivered() {
  const { uid, svcUid } = await payOrder();
  const url = `${world.url}/webhooks/payments`;
  await world.sandbox.settings({ webhook_url: `${world.url}/not-there` });
  try {
    const { request } = await sendFromSandbox(svcUid);
    return { uid, svcUid, request };
  } finally {
    await world.sandbox.settings({ webhook_url: url });
  }
}

async function expectNothingStored(uid: string): Promise<void> {
  expect(await notificationsOf(world, uid)).toEqual([]);
  expect(await discrepanciesOf(world, uid)).toEqual([]);
  expect(await getOrder(world, uid)).toMatchObject({ status: 'open', payments: [] });
}

test('paid, cancelled in part, cancelled: each is notified with a signature and recorded', async () => {
  const uid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
  expect(await getOrder(world, uid)).toMatchObject({ status: 'paid' });
  await world.sandbox.control(svcUid, 'cancel', { amount: 400 });
  expect(await getOrder(world, uid)).toMatchObject({ status: 'partially_cancelled' });
  await world.sandbox.control(svcUid, 'cancel');
  expect(await getOrder(world, uid)).toMatchObject({ status: 'cancelled' });
  const told = await world.rows.query(
    `select claimed_status, generation, source_address, outcome from notifications where merchant_uid = $1 order by id`,
    [uid],
  );
  const each = { generation: 'newer', source_address: TEST_BUTTON_ADDRESS, outcome: 'recorded' };
  expect(told).toEqual(
    ['Paid', 'PartialCancelled', 'Cancelled'].map((event) => ({
      claimed_status: `Transaction.${event}`,
      ...each,
    })),
  );
});

test('the type is not believed: a payment of another amount is refused', async () => {
  const uid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: uid, amount: 1, notify: false });
  expect(await notifyFromSandbox(svcUid)).toMatchObject({ status: 400, outcome: 'amount_mismatch' });
  expect(await getOrder(world, uid)).toMatchObject({ status: 'open', payments: [] });
});

const without = ({ headers, body }: Request, name: string): Request => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
  body,
});
const header = ({ headers, body }: Request, name: string, value: string): Request => ({
  headers: { ...headers, [name]: value },
  body,
});
const at = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000);

const FORGERIES: [name: string, forge: (request: Request) => Request][] = [
  ['a changed body', ({ headers, body }) => ({ headers, body: body.replace('{', '{ ') })],
  ['a changed body that is no JSON', ({ headers, body }) => ({ headers, body: body.slice(0, -1) })],
  ['a wrong secret', (request) => signWith(OTHER_SECRET, request, at(0))],
  ['a time of six minutes ago', (request) => signWith(FIRST_SECRET, request, at(-360))],
  ['a time in six minutes', (request) => signWith(FIRST_SECRET, request, at(360))],
  ['another time than was signed', (request) => header(request, 'webhook-timestamp', seconds(at(-1)))],
  ['another id than was signed', (request) => header(request, 'webhook-id', 'msg_another')],
  ['a time that is no number', (request) => header(request, 'webhook-timestamp', 'now')],
  ['no id', (request) => without(request, 'webhook-id')],
  ['no time', (request) => without(request, 'webhook-timestamp')],
  ['no signature', (request) => without(request, 'webhook-signature')],
  [
    'none of the headers',
    ({ body }) => ({ headers: { 'content-type': 'application/json', ...SENDER }, body }),
  ],
  ['a signature of another version', (request) => header(request, 'webhook-signature', versionTwo(request))],
];
const SENDER = { 'x-forwarded-for': TEST_BUTTON_ADDRESS };
const seconds = (date: Date) => String(Math.floor(date.getTime() / 1000));
const versionTwo = ({ headers }: Request) => (headers['webhook-signature'] ?? '').replace('v1,', 'v2,');

test.each(FORGERIES)('%s is refused with 401, and nothing is stored', async (_, forge) => {
  const { uid, request } = await requestNotDelivered();
  expect(await post(forge(request))).toEqual({ status: 401, outcome: 'bad_signature' });
  await expectNothingStored(uid);
  // Only the forgery was wrong.
  expect(await post(request)).toEqual({ status: 200, outcome: 'recorded' });
});

test('each of two secrets is accepted during a rotation, and one of several signatures is enough', async () => {
  const one = await requestNotDelivered();
  expect(await post(signWith(FIRST_SECRET, one.request, at(0)))).toMatchObject({ outcome: 'recorded' });
  const other = await requestNotDelivered();
  const signature = other.request.headers['webhook-signature'] ?? '';
  const several = header(other.request, 'webhook-signature', `v1,AAAA v1a,x ${signature}`);
  expect(await post(several)).toMatchObject({ outcome: 'recorded' });
});

test('a notification sent again, also with the same id, changes nothing', async () => {
  const { uid, request } = await requestNotDelivered();
  expect(await post(request)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await post(request)).toEqual({ status: 200, outcome: 'unchanged' });
  expect(await getOrder(world, uid)).toMatchObject({ status: 'paid', payments: [{}] });
});

test.each(['BillingKey.Issued', 'Transaction.SomethingNew', 'Anything'])(
  'the type %s is ignored, and nothing is stored',
  async (type) => {
    const { uid, svcUid } = await payOrder();
    expect(await notifyFromSandbox(svcUid, { type })).toMatchObject({ status: 200, outcome: 'ignored' });
    await expectNothingStored(uid);
  },
);

test('signed ids that are malformed are refused, and nothing is stored', async () => {
  const { uid, request } = await requestNotDelivered();
  const body = request.body.replace(uid, '../..');
  expect(await post(signWith(FIRST_SECRET, { ...request, body }, at(0)))).toEqual({
    status: 400,
    outcome: 'malformed',
  });
  await expectNothingStored(uid);
});

const DISPUTE = { type: 'Transaction.DisputeCreated' };
const DISPUTES = 'merchant_discrepancies_total{kind="dispute_opened"}';
const dispute = (svcUid: string) => discrepancyOf(world, svcUid, 'dispute_opened');

test('a dispute opens one discrepancy, whatever is sent again, and the payment stays', async () => {
  const { uid, svcUid } = await payOrder();
  const before = world.log.events('discrepancy_noted').length;
  const counted = await metric(world, DISPUTES);
  const { request, outcome } = await notifyFromSandbox(svcUid, DISPUTE);
  expect(outcome).toBe('recorded');
  expect(await post(request)).toEqual({ status: 200, outcome: 'unchanged' });
  expect(await dispute(svcUid)).toMatchObject({ merchant_uid: uid, times_seen: 2, resolved_at: null });
  expect(world.log.events('discrepancy_noted')).toHaveLength(before + 1);
  expect(await metric(world, DISPUTES)).toBe(counted + 1);
  expect(await getOrder(world, uid)).toMatchObject({ status: 'paid' });
});

test('a resolved dispute stays resolved when it is sent again, and another dispute opens it', async () => {
  const { svcUid } = await payOrder();
  const { request } = await notifyFromSandbox(svcUid, DISPUTE);
  const { id } = await dispute(svcUid);
  const decision = { resolution: 'accepted', note: 'We have won', by: 'kim' };
  expect((await world.api('POST', `/api/discrepancies/${id}/resolve`, decision)).status).toBe(200);
  await post(request);
  expect(await dispute(svcUid)).toMatchObject({ resolution: 'accepted' });
  await notifyFromSandbox(svcUid, { type: 'Transaction.DisputeResolved' });
  expect(await dispute(svcUid)).toMatchObject({ resolution: 'accepted' });
  await notifyFromSandbox(svcUid, DISPUTE);
  expect(await dispute(svcUid)).toMatchObject({ resolution: null, resolved_at: null });
});

test('a forged dispute opens nothing', async () => {
  const { uid, request } = await requestNotDelivered();
  const body = request.body.replace('Transaction.Paid', DISPUTE.type);
  expect(await post({ ...request, body })).toMatchObject({ outcome: 'bad_signature' });
  await expectNothingStored(uid);
});

test('the dispute is not lost when the database is down: the service sends it again', async () => {
  const { svcUid } = await payOrder();
  const { status } = await world.withoutDatabase(() => notifyFromSandbox(svcUid, DISPUTE));
  expect(status).toBe(503);
  await world.advance(1);
  await world.sandbox.waitForNotifications();
  expect(await dispute(svcUid)).toMatchObject({ resolved_at: null });
});

test('a payment that the service shows a moment late is not taken for a test of the console', async () => {
  const { uid, svcUid } = await payOrder();
  await world.sandbox.fault({ endpoint: 'GET /v2/payments/:payment_id', status: 404, times: 1 });
  expect(await notifyFromSandbox(svcUid)).toMatchObject({ status: 400, outcome: 'unknown_payment' });
  await world.advance(60);
  expect(await getOrder(world, uid)).toMatchObject({ status: 'paid' });
});

test('the test button is answered as a test', async () => {
  const { attempts } = await world.sandbox.call('POST', '/settings/test-webhook');
  expect(attempts[0].answer).toEqual({ status: 200, body: '{"outcome":"test"}' });
});

test('a signed notification from an address that is not listed is refused', async () => {
  const { svcUid } = await payOrder();
  expect(await notifyFromSandbox(svcUid, { source: '203.0.113.9' })).toMatchObject({ status: 403 });
});

test('the older forms need no signature, and a wrong one on them is refused', async () => {
  const { uid, svcUid } = await payOrder();
  const body = { tx_id: svcUid, payment_id: uid, status: 'PAID' };
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds(at(0)), 'webhook-signature': 'v1,x' };
  expect(await world.notify(body, { headers })).toEqual({ status: 401, outcome: 'bad_signature' });
  expect(await world.notify(body)).toEqual({ status: 200, outcome: 'recorded' });
});
