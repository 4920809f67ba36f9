// An order is charged with a stored billing key, and money is taken exactly once, whatever fails.

import { Client } from 'pg';
import { callService, codeOf } from '../../support/calls';
import { CARD_THAT_FAILS } from '../../support/cards';
import { registerKey } from '../../support/keys';
import {
  charge,
  chargesOf,
  getOrder,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../support/sandbox-controls';
import { useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useOneKey(world);
// Polls of an earlier test would be counted.
beforeEach(() => world.forgetJobs());
// The notification of a charge may arrive after the answer; it must not use up the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const chargeWithKey = (merchantUid: string) => charge(world, merchantUid, key.customerUid);

test('a charged order is paid: the payment is fetched again, stored and shown, and the requester is logged', async () => {
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
  const error = { code: 'payment_declined', message: expect.stringContaining('카드사에서 거절') };
  expect(await charge(world, 'order-declined', failing.customerUid)).toMatchObject({
    status: 402,
    body: { error },
  });
  const failed = { status: 'failed', payments: [{ status: 'failed' }] };
  expect(await getOrder(world, 'order-declined')).toMatchObject(failed);
  await world.advance(1);
  expect((await chargeWithKey('order-declined')).status).toBe(200);
  expect(await chargesOf(world, 'order-declined')).toMatchObject([{ status: 'failed' }, { status: 'paid' }]);
});

test('a lost answer is 202; the payment is found by its order, and no charge is made in between', async () => {
  await registerOrder(world, 'order-lost');
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  // A notification would report the payment before the poll.
  const lost = await world.withoutNotifications(() => chargeWithKey('order-lost'));
  expect([lost.status, lost.body.outcome, lost.body.order.status]).toEqual([202, 'unknown', 'open']);

  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    expect(await codeOf(chargeWithKey('order-lost'))).toEqual([409, 'charge_pending']);
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await getOrder(world, 'order-lost')).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] });
  expect(await chargesOf(world, 'order-lost')).toMatchObject([{ status: 'paid' }]);
  expect(world.log.events('attempt_recovered')).toContainEqual(
    expect.objectContaining({ merchant_uid: 'order-lost', outcome: 'paid' }),
  );
});

test('a charge of a dead process is found by the next one, ends after enough polls, and is not confirmed by an earlier payment', async () => {
  await registerOrder(world, 'order-crash');
  // A failed attempt in the window, which is not notified (§6.1).
  await world.sandbox.pay({ merchant_uid: 'order-crash', amount: 1000, outcome: 'failed' });
  // The state after kill -9 between the row and the call: a row without a job.
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ('crashedcharge', 'order-crash', 'again', $1, 'pending', $2)`,
    [key.customerUid, world.clock.now()],
  );
  await world.restartMerchant();
  const lookUps = await world.sandbox.requestsDuring(FIND_PAYMENTS, async () => {
    for (const seconds of [30, 60, 60, 61, 301]) {
      await world.runEveryMinute(seconds);
      expect(await codeOf(chargeWithKey('order-crash'))).toEqual([409, 'charge_pending']);
    }
  });
  expect(lookUps).toBe(4);
  await world.runEveryMinute(901);
  expect(await chargesOf(world, 'order-crash')).toMatchObject([{ status: 'not_executed' }]);
  expect((await chargeWithKey('order-crash')).status).toBe(200);
});

test('concurrent charges take money once', async () => {
  await registerOrder(world, 'order-storm');
  const chargeAfter = async (requests: number) => {
    for (let count = 0; count < requests; count += 1) await getOrder(world, 'order-storm');
    return chargeWithKey('order-storm');
  };
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const answers = await Promise.all([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8].map(chargeAfter));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  });
  expect(calls).toBe(1);
  expect(await chargesOf(world, 'order-storm')).toHaveLength(1);
});

test('a database outage after the call leaves the outcome open, and a poll finds it later', async () => {
  await registerOrder(world, 'order-locked');
  const other = new Client({ connectionString: world.databaseUrl });
  await other.connect();
  // Payments can be read but not written.
  await other.query('begin; lock table payments in exclusive mode');
  const { status, body } = await world.withoutNotifications(() => chargeWithKey('order-locked'));
  await other.query('rollback');
  await other.end();

  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect(world.log.events('outcome_not_written')).not.toEqual([]);
  await world.advance(6);
  expect(await chargesOf(world, 'order-locked')).toMatchObject([{ status: 'paid' }]);
});

test('a key pays only while it is active, and only for its own member', async () => {
  await registerOrder(world, 'order-foreign', { member_id: 'somebody-else' });
  expect(await codeOf(chargeWithKey('order-foreign'))).toEqual([403, 'foreign_billing_key']);

  const { customerUid } = await registerKey(world);
  await world.rows.query(`update billing_keys set status = 'removed' where customer_uid = $1`, [customerUid]);
  await registerOrder(world, 'order-removed');
  const inactive = charge(world, 'order-removed', customerUid);
  expect(await codeOf(inactive)).toEqual([409, 'billing_key_not_active']);
  expect(await chargesOf(world, 'order-removed')).toEqual([]);
});

// Before a charge, the service is queried for an existing payment of the order: its notification may be lost, or a replica of the
// service may have shown an older state.

/** Charges the order; no call that takes money may be sent, and no charge may begin. */
async function refusedCharge(merchantUid: string) {
  let refused: unknown;
  const before = await chargesOf(world, merchantUid);
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    refused = await codeOf(chargeWithKey(merchantUid));
  });
  expect([calls, (await chargesOf(world, merchantUid)).length]).toEqual([0, before.length]);
  return refused;
}

/** A paid order whose payment the service then shows in another status, this number of times. */
async function paidAndShownAs(merchantUid: string) {
  await registerOrder(world, merchantUid);
  const { svc_uid: svcUid, ...paid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const showAs = (status: string, times: number) => {
    const body = { code: 0, message: null, response: { ...paid, abc_uid: svcUid, status } };
    return world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times });
  };
  return { showAs, notify: () => sendNotification(world, svcUid, merchantUid) };
}

test('a payment without a notification is stored, and its order is not charged', async () => {
  await registerOrder(world, 'paid-unheard');
  await paySilently(world, 'paid-unheard');
  expect(await refusedCharge('paid-unheard')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'paid-unheard')).toBe('paid');
});

test('M5 an older state of a paid payment, shown twice within a second, does not make its order chargeable', async () => {
  const { showAs, notify } = await paidAndShownAs('older-copy');
  for (const status of ['failed', 'ready']) {
    await showAs(status, 2);
    for (let looks = 0; looks < 2; looks += 1)
      expect(await notify()).toEqual({ status: 200, outcome: 'queued' });
  }
  const stillPaid = { status: 'paid', payments: [{ status: 'paid' }] };
  expect(await getOrder(world, 'older-copy')).toMatchObject(stillPaid);
  expect(await refusedCharge('older-copy')).toEqual([409, 'order_not_payable']);
  await world.advance(60);
});

test('M5 an order whose payment regressed and was shown again is not charged', async () => {
  const { showAs, notify } = await paidAndShownAs('back-again');
  await showAs('failed', 3);
  await notify();
  await world.advance(2);
  await world.advance(5);
  expect(await orderStatus(world, 'back-again')).toBe('failed');

  expect(await refusedCharge('back-again')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'back-again')).toBe('paid');
});

test.each([
  ['cannot be judged now', FETCH_PAYMENT, 409, 'payment_not_judged'],
  ['cannot be asked for', FIND_PAYMENTS, 503, 'service_unavailable'],
])('a payment that %s keeps its order from being charged', async (name, endpoint, status, code) => {
  const merchantUid = name.replaceAll(' ', '-');
  await registerOrder(world, merchantUid);
  await paySilently(world, merchantUid);
  await world.sandbox.fault({ endpoint, kind: 'status', status: 503, times: 1 });
  expect(await refusedCharge(merchantUid)).toEqual([status, code]);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
});

test('M14 a charge whose payment is fully cancelled does not pay its order', async () => {
  await registerOrder(world, 'given-back');
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(async () => {
    expect((await chargeWithKey('given-back')).status).toBe(202);
    const { list } = await callService(world, '/payments/findAll/given-back');
    await world.sandbox.control(list[0].abc_uid, 'cancel', { reason: '승인 취소' });
    await world.advance(6);
  });

  expect(await chargesOf(world, 'given-back')).toMatchObject([{ status: 'failed', reason: '승인 취소' }]);
  expect(await orderStatus(world, 'given-back')).toBe('cancelled');
});
