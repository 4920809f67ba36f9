// An order is charged with a stored billing key, and money is taken once, whatever goes wrong meanwhile.

import { Client } from 'pg';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../support/endpoints';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
// Polls of an earlier test would be counted.
beforeEach(() => world.forgetJobs());
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const chargeWithKey = (merchantUid: string) => charge(world, merchantUid, key.customerUid);
const codeOfCharge = async (merchantUid: string) => (await chargeWithKey(merchantUid)).body.error?.code;

test('a charged order is paid: the payment is fetched again, stored and shown, and who asked is logged', async () => {
  await registerOrder(world, 'order-paid', { member_id: key.memberId });
  const request = { customer_uid: key.customerUid, by: 'nightly run' };
  const { status, body } = await world.api('POST', '/api/orders/order-paid/charge', request);

  expect([status, body.outcome, body.order.status]).toEqual([200, 'paid', 'paid']);
  expect(body.order.payments).toMatchObject([
    { status: 'paid', amount: 1000, currency: 'KRW', customer_uid: key.customerUid, counted: true },
  ]);
  const [row] = await chargesOf(world, 'order-paid');
  expect(row).toMatchObject({ kind: 'again', status: 'paid', svc_uid: body.order.payments[0].svc_uid });
  expect(row?.['resolved_at']).not.toBeNull();
  const [line] = await world.log.requests({ merchant_uid: 'order-paid', by: 'nightly run' });
  expect(line).toMatchObject({ outcome: 'paid', source: '127.0.0.1' });
});

test('a declined card is 402 with the card company’s reason, and the order can be charged again', async () => {
  const failing = await registerKey(world, { card_number: CARD_THAT_FAILS });
  await registerOrder(world, 'order-declined');
  const declined = await charge(world, 'order-declined', failing.customerUid);

  expect(declined).toEqual({
    status: 402,
    body: { error: { code: 'payment_declined', message: expect.stringContaining('카드사에서 거절') } },
  });
  expect(await getOrder(world, 'order-declined')).toMatchObject({
    status: 'failed',
    payments: [{ status: 'failed' }],
  });
  await world.advance(1);
  expect((await chargeWithKey('order-declined')).status).toBe(200);
  expect(await chargesOf(world, 'order-declined')).toMatchObject([{ status: 'failed' }, { status: 'paid' }]);
});

test('a lost answer is 202; the payment is found by its order, and nobody charges in between', async () => {
  await registerOrder(world, 'order-lost');
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  // The notification would tell of the payment before we ask.
  const lost = await world.withoutNotifications(() => chargeWithKey('order-lost'));
  expect([lost.status, lost.body.outcome, lost.body.order.status]).toEqual([202, 'unknown', 'open']);

  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const again = await chargeWithKey('order-lost');
    expect([again.status, again.body.error.code]).toEqual([409, 'charge_pending']);
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await getOrder(world, 'order-lost')).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] });
  expect(await chargesOf(world, 'order-lost')).toMatchObject([{ status: 'paid' }]);
  expect(world.log.events('attempt_recovered')).toContainEqual(
    expect.objectContaining({ merchant_uid: 'order-lost', outcome: 'paid' }),
  );
});

test('a charge that never reached the service is given up after enough looks, and a payment from before is not its result', async () => {
  await registerOrder(world, 'order-reset');
  // A failed attempt in the window: nobody was notified of it (§6.1).
  await world.sandbox.pay({ merchant_uid: 'order-reset', amount: 1000, outcome: 'failed' });
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'reset' });
  expect((await chargeWithKey('order-reset')).status).toBe(202);
  expect(await orderStatus(world, 'order-reset')).toBe('failed');

  const lookUps = await world.sandbox.requestsDuring(FIND_PAYMENTS, async () => {
    for (const seconds of [6, 16, 61, 301]) {
      await world.advance(seconds);
      expect(await codeOfCharge('order-reset')).toBe('charge_pending');
    }
  });
  expect(lookUps).toBe(4);
  await world.advance(901);
  expect(await chargesOf(world, 'order-reset')).toMatchObject([
    { status: 'not_executed', not_found_polls: 4 },
  ]);
  expect((await chargeWithKey('order-reset')).status).toBe(200);
});

test('what the service refuses is 402 with its message', async () => {
  await registerOrder(world, 'order-refused');
  const body = { code: 1, message: 'card 4242-4242-4242-4242 is no good', response: null };
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'status', status: 200, body });
  expect(await chargeWithKey('order-refused')).toEqual({
    status: 402,
    body: { error: { code: 'payment_refused', message: 'card 4242-42**-****-4242 is no good' } },
  });
  expect(await chargesOf(world, 'order-refused')).toMatchObject([{ status: 'refused', svc_uid: null }]);
});

test('a payment that cannot be fetched again yet is not believed: 202, and settled when it can', async () => {
  await registerOrder(world, 'order-unseen');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  const { status, body } = await world.withoutNotifications(() => chargeWithKey('order-unseen'));
  expect([status, body.order.status]).toEqual([202, 'open']);
  await world.advance(6);
  expect(await orderStatus(world, 'order-unseen')).toBe('paid');
});

test('what a process left behind is found by the next one', async () => {
  await registerOrder(world, 'order-crash');
  // As after kill -9 between the row and the call: the row is there, and no job.
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ('crashedcharge', 'order-crash', 'again', $1, 'pending', $2)`,
    [key.customerUid, world.clock.now()],
  );
  expect(await codeOfCharge('order-crash')).toBe('charge_pending');
  await world.restartMerchant();
  for (const seconds of [30, 60, 60, 61, 301, 901]) await world.runEveryMinute(seconds);
  expect(await chargesOf(world, 'order-crash')).toMatchObject([{ status: 'not_executed' }]);
  expect((await chargeWithKey('order-crash')).status).toBe(200);
});

test('however many ask at whatever moment, money is taken once', async () => {
  await registerOrder(world, 'order-storm');
  const chargeAfter = async (requests: number) => {
    for (let count = 0; count < requests; count += 1) await getOrder(world, 'order-storm');
    return chargeWithKey('order-storm');
  };
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const answers = await Promise.all([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8].map(chargeAfter));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  });
  expect(calls).toBe(1);
  expect((await getOrder(world, 'order-storm')).payments).toHaveLength(1);
  expect(await chargesOf(world, 'order-storm')).toHaveLength(1);
});

test('a database that is away after the call leaves the outcome open, and it is found out later', async () => {
  await registerOrder(world, 'order-locked');
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'delay', delay_ms: 300 });
  const other = new Client({ connectionString: world.databaseUrl });
  await other.connect();
  const { status, body } = await world.withoutNotifications(async () => {
    const charged = chargeWithKey('order-locked');
    await world.rows.waitFor(`select 1 from charges where merchant_uid = 'order-locked'`);
    await other.query('begin; lock table payments in exclusive mode');
    return charged;
  });
  await other.query('rollback');
  await other.end();

  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect(world.log.events('outcome_not_written')).not.toEqual([]);
  await world.advance(6);
  expect(await chargesOf(world, 'order-locked')).toMatchObject([{ status: 'paid' }]);
});

test.each([
  ['order-unknown', 'cust-unknown', 404, 'order_not_found'],
  ['..', 'cust-unknown', 404, 'not_found'],
  ['order-key', 'cust-unknown', 404, 'billing_key_not_found'],
  ['order-key', '../users', 400, 'invalid_request'],
  ['order-key', { not: '' }, 400, 'invalid_request'],
])('charging %s with %p is refused, and nothing is sent', async (uid, customerUid, status, code) => {
  await world.api('POST', '/api/orders', { merchant_uid: 'order-key', name: 'Tea', amount: 1000 });
  const answer = await expectNoEffect(world, () => charge(world, uid, customerUid));
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test('a key pays only while it is active, and only for its own member', async () => {
  await registerOrder(world, 'order-foreign', { member_id: 'somebody-else' });
  const foreign = await chargeWithKey('order-foreign');
  expect([foreign.status, foreign.body.error.code]).toEqual([403, 'foreign_billing_key']);

  const removed = await registerKey(world);
  await world.rows.query(`update billing_keys set status = 'removed' where customer_uid = $1`, [
    removed.customerUid,
  ]);
  await registerOrder(world, 'order-removed');
  const inactive = await charge(world, 'order-removed', removed.customerUid);
  expect([inactive.status, inactive.body.error.code]).toEqual([409, 'billing_key_not_active']);
  expect(await chargesOf(world, 'order-removed')).toEqual([]);
});
