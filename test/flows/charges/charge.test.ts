// An order is charged with a stored billing key: once, whatever happens on the way.

import { Client } from 'pg';
import { CARD_THAT_FAILS, createCharging, type StoredKey } from '../../support/charging';
import { startWorld, type World } from '../../support/world';

const AGAIN = 'POST /subscribe/payments/again';
const LOOK_UP = 'GET /payments/findAll/:merchant_uid';

let world: World;
let charging: ReturnType<typeof createCharging>;
let key: StoredKey;
beforeAll(async () => {
  world = await startWorld();
  charging = createCharging(world);
  key = await charging.registerKey();
});
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => charging.notified());
afterAll(() => world.close());

/** What a story adds to the calls that the service saw. */
async function callsDuring(endpoint: string, story: () => Promise<unknown>): Promise<number> {
  const before = await world.sandbox.requests(endpoint);
  await story();
  return (await world.sandbox.requests(endpoint)) - before;
}

test('a charged order is paid: the payment is fetched again, stored, and shown', async () => {
  await charging.registerOrder('order-paid', { member_id: key.memberId });
  const { status, body } = await charging.charge('order-paid', key.customerUid);

  expect([status, body.outcome, body.order.status]).toEqual([200, 'paid', 'paid']);
  expect(body.order.payments).toMatchObject([
    { status: 'paid', amount: 1000, currency: 'KRW', customer_uid: key.customerUid, counted: true },
  ]);
  const [row] = await charging.charges('order-paid');
  expect(row).toMatchObject({ kind: 'again', status: 'paid', svc_uid: body.order.payments[0].svc_uid });
  expect(row?.['resolved_at']).not.toBeNull();
});

test('a double click charges once', async () => {
  await charging.registerOrder('order-twice');
  let answers: { status: number; body: any }[] = [];
  const calls = await callsDuring(AGAIN, async () => {
    answers = await Promise.all([1, 2, 3].map(() => charging.charge('order-twice', key.customerUid)));
  });

  expect(calls).toBe(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await charging.order('order-twice')).payments).toHaveLength(1);
  expect(await charging.charges('order-twice')).toHaveLength(1);
});

test('a declined card is 402 with the card company’s reason, and the order can be charged again', async () => {
  const failing = await charging.registerKey({ card_number: CARD_THAT_FAILS });
  await charging.registerOrder('order-declined');
  const declined = await charging.charge('order-declined', failing.customerUid);

  expect(declined).toEqual({
    status: 402,
    body: { error: { code: 'payment_declined', message: expect.stringContaining('카드사에서 거절') } },
  });
  expect(await charging.order('order-declined')).toMatchObject({
    status: 'failed',
    payments: [{ status: 'failed' }],
  });
  await world.advance(1);
  expect((await charging.charge('order-declined', key.customerUid)).status).toBe(200);
  expect(await charging.charges('order-declined')).toMatchObject([{ status: 'failed' }, { status: 'paid' }]);
});

test('a lost answer is 202; the payment is found by its order, and nobody charges in between', async () => {
  await charging.registerOrder('order-lost');
  // Without the notification, which would tell of the payment before we ask.
  await world.sandbox.settings({ webhook_url: `${world.url}/nowhere` });
  await world.sandbox.fault({ endpoint: AGAIN, kind: 'lost_response' });
  const lost = await charging.charge('order-lost', key.customerUid);
  expect([lost.status, lost.body.outcome, lost.body.order.status]).toEqual([202, 'unknown', 'open']);

  const calls = await callsDuring(AGAIN, async () => {
    const again = await charging.charge('order-lost', key.customerUid);
    expect([again.status, again.body.error.code]).toEqual([409, 'charge_pending']);
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await charging.order('order-lost')).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] });
  expect(await charging.charges('order-lost')).toMatchObject([{ status: 'paid' }]);
  const [resolved] = world.log.events('attempt_recovered');
  expect(resolved).toMatchObject({ merchant_uid: 'order-lost', outcome: 'paid' });
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test('a charge that never reached the service is given up after enough looks, not before', async () => {
  await charging.registerOrder('order-reset');
  await world.sandbox.fault({ endpoint: AGAIN, kind: 'reset' });
  expect((await charging.charge('order-reset', key.customerUid)).status).toBe(202);

  const looks = await callsDuring(LOOK_UP, async () => {
    for (const seconds of [6, 16, 61, 301]) {
      await world.advance(seconds);
      expect((await charging.charge('order-reset', key.customerUid)).body.error.code).toBe('charge_pending');
    }
  });
  expect(looks).toBe(4);
  await world.advance(901);
  expect(await charging.charges('order-reset')).toMatchObject([
    { status: 'not_executed', not_found_polls: 4 },
  ]);
  expect((await charging.charge('order-reset', key.customerUid)).status).toBe(200);
});

test('a payment from before the charge is never taken for its result', async () => {
  await charging.registerOrder('order-before');
  // A failed attempt in the window: nobody was notified of it (§6.1).
  await world.sandbox.pay({ merchant_uid: 'order-before', amount: 1000, outcome: 'failed' });
  await world.sandbox.fault({ endpoint: AGAIN, kind: 'reset' });
  await charging.charge('order-before', key.customerUid);
  await world.advance(6);

  expect(await charging.order('order-before')).toMatchObject({ status: 'failed' });
  expect(await charging.charges('order-before')).toMatchObject([{ status: 'unknown', not_found_polls: 1 }]);
  expect((await charging.charge('order-before', key.customerUid)).body.error.code).toBe('charge_pending');
});

test.each([
  ['drops the connection', { kind: 'reset' }],
  ['answers HTML', { kind: 'html' }],
  ['answers 500 without doing it', { kind: 'status', status: 500 }],
  ['redirects', { kind: 'redirect' }],
])('a service that %s leaves the outcome open', async (_, fault) => {
  const uid = `order-open-${fault.kind}`;
  await charging.registerOrder(uid);
  await world.sandbox.fault({ endpoint: AGAIN, ...fault });
  expect((await charging.charge(uid, key.customerUid)).status).toBe(202);
  expect(await charging.charges(uid)).toMatchObject([{ status: 'unknown' }]);
});

test.each([
  ['is asked to wait', { kind: 'status', status: 429 }],
  ['refuses our token twice', { kind: 'unauthorized', times: 2 }],
])('a service that %s did nothing: 503, and the order can be charged at once', async (_, fault) => {
  const uid = `order-503-${fault.kind}`;
  await charging.registerOrder(uid);
  await world.sandbox.fault({ endpoint: AGAIN, ...fault });
  const answer = await charging.charge(uid, key.customerUid);
  expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(await charging.charges(uid)).toMatchObject([{ status: 'not_executed' }]);
  await world.sandbox.call('DELETE', '/faults');
  await world.advance(40);
  expect((await charging.charge(uid, key.customerUid)).status).toBe(200);
});

test('what the service refuses is 402 with its message', async () => {
  await charging.registerOrder('order-refused');
  await world.sandbox.fault({
    endpoint: AGAIN,
    kind: 'status',
    status: 200,
    body: { code: 1, message: 'card 4242-4242-4242-4242 is no good', response: null },
  });
  const { status, body } = await charging.charge('order-refused', key.customerUid);
  expect([status, body.error]).toEqual([
    402,
    { code: 'payment_refused', message: 'card 4242-42**-****-4242 is no good' },
  ]);
  expect(await charging.charges('order-refused')).toMatchObject([{ status: 'refused', svc_uid: null }]);
});

test('a payment that cannot be fetched again yet is not believed: 202, and settled when it can', async () => {
  await charging.registerOrder('order-unseen');
  await world.sandbox.settings({ webhook_url: `${world.url}/nowhere` });
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 503, times: 1 });
  const { status, body } = await charging.charge('order-unseen', key.customerUid);
  expect([status, body.order.status]).toEqual([202, 'open']);
  await world.advance(6);
  expect((await charging.order('order-unseen')).status).toBe('paid');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test('a payment over another amount is held against the charge, and the order is left alone', async () => {
  await charging.registerOrder('order-forged');
  await world.rows.query(`update orders set amount = 999 where merchant_uid = 'order-forged'`);
  await world.sandbox.settings({ webhook_url: `${world.url}/nowhere` });
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 503, times: 1 });
  await charging.charge('order-forged', key.customerUid);
  await world.rows.query(`update orders set amount = 1000 where merchant_uid = 'order-forged'`);
  await world.advance(6);

  expect(await charging.charges('order-forged')).toMatchObject([
    { status: 'needs_review', reason: 'amount_mismatch' },
  ]);
  expect(await charging.order('order-forged')).toMatchObject({ status: 'open', payments: [] });
  expect((await charging.charge('order-forged', key.customerUid)).body.error.code).toBe(
    'charge_needs_review',
  );
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test('what a process left behind is found by the next one', async () => {
  await charging.registerOrder('order-crash');
  // As after kill -9 between the row and the call: the row is there, and no job.
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ('crashedcharge', 'order-crash', 'again', $1, 'pending', $2)`,
    [key.customerUid, world.clock.now()],
  );
  expect((await charging.charge('order-crash', key.customerUid)).body.error.code).toBe('charge_pending');
  await world.restartMerchant();
  for (const seconds of [30, 60, 60, 61, 301, 901]) await world.runEveryMinute(seconds);
  expect(await charging.charges('order-crash')).toMatchObject([{ status: 'not_executed' }]);
  expect((await charging.charge('order-crash', key.customerUid)).status).toBe(200);
});

test('however many ask at whatever moment, money is taken once', async () => {
  await charging.registerOrder('order-storm');
  const asked = async (wait: number) => {
    for (let turn = 0; turn < wait; turn += 1) await charging.order('order-storm');
    return charging.charge('order-storm', key.customerUid);
  };
  const calls = await callsDuring(AGAIN, async () => {
    const answers = await Promise.all([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8].map(asked));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  });
  expect(calls).toBe(1);
});

test('a database that is away after the call leaves the outcome open, and it is found out later', async () => {
  await charging.registerOrder('order-locked');
  await world.sandbox.settings({ webhook_url: `${world.url}/nowhere` });
  await world.sandbox.fault({ endpoint: AGAIN, kind: 'delay', delay_ms: 300 });
  const other = new Client({ connectionString: world.databaseUrl });
  await other.connect();
  const charged = charging.charge('order-locked', key.customerUid);
  while ((await charging.charges('order-locked')).length === 0);
  await other.query('begin; lock table payments in exclusive mode');
  const { status, body } = await charged;
  await other.query('rollback');
  await other.end();

  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect(world.log.events('outcome_not_written')).not.toEqual([]);
  await world.advance(6);
  expect(await charging.charges('order-locked')).toMatchObject([{ status: 'paid' }]);
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test('an order is charged only where it is open or failed', async () => {
  await charging.registerOrder('order-done');
  await world.sandbox.pay({ merchant_uid: 'order-done', amount: 1000 });
  const before = await world.rows.money();
  const calls = await callsDuring(AGAIN, async () => {
    const { status, body } = await charging.charge('order-done', key.customerUid);
    expect([status, body.error.code]).toEqual([409, 'order_not_payable']);
  });
  expect(calls).toBe(0);
  expect(await world.rows.money()).toBe(before);
  expect(await charging.charges('order-done')).toEqual([]);
});

test.each([
  ['order-unknown', 'cust-unknown', 404, 'order_not_found'],
  ['..', 'cust-unknown', 404, 'not_found'],
  ['a%20b', 'cust-unknown', 404, 'order_not_found'],
  ['order-key', 'cust-unknown', 404, 'billing_key_not_found'],
  ['order-key', '../users', 400, 'invalid_request'],
  ['order-key', { not: '' }, 400, 'invalid_request'],
  ['order-key', 7, 400, 'invalid_request'],
  ['order-key', undefined, 400, 'invalid_request'],
])('charging %s with %p is refused, and nothing is sent', async (uid, customerUid, status, code) => {
  if (uid === 'order-key')
    await world.api('POST', '/api/orders', { merchant_uid: uid, name: 'Tea', amount: 1 });
  const total = await world.sandbox.allRequests();
  const answer = await charging.charge(uid, customerUid);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(await world.sandbox.allRequests()).toBe(total);
});

test('a key pays only while it is active, and only for its own member', async () => {
  await charging.registerOrder('order-foreign', { member_id: 'somebody-else' });
  const foreign = await charging.charge('order-foreign', key.customerUid);
  expect([foreign.status, foreign.body.error.code]).toEqual([403, 'foreign_billing_key']);

  const removed = await charging.registerKey();
  await world.rows.query(`update billing_keys set status = 'removed' where customer_uid = $1`, [
    removed.customerUid,
  ]);
  await charging.registerOrder('order-removed');
  const inactive = await charging.charge('order-removed', removed.customerUid);
  expect([inactive.status, inactive.body.error.code]).toEqual([409, 'billing_key_not_active']);
  expect(await charging.charges('order-removed')).toEqual([]);
});
