// A payment of a subscription fails: it is tried again after 1, 3 and 7 days, then the plan ends. What else can keep a
// cycle from being paid ends it too, or waits for a person.

import { callService } from '../../support/call-service';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { charge, chargesOf, discrepanciesOf, getOrder, orderStatus } from '../../support/orders';
import {
  cancel,
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  passAtService,
  paymentsWith,
  putCard,
  SCHEDULE,
  scheduledWith,
  subscribe,
  UNSCHEDULE,
  useKey,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

/** One whose first payment has failed. */
async function subscribePastDue(changes: Record<string, unknown> = {}): Promise<string> {
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key, changes);
  await pass(world, HOUR);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 1 });
  return id;
}

test('a virtual account that somebody opens for its order changes nothing: the retry is made, and the plan renews', async () => {
  const id = await subscribePastDue();
  const account = { merchant_uid: `${id}-1`, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid } = await world.sandbox.pay(account);
  expect(await orderStatus(world, `${id}-1`)).toBe('awaiting_deposit');
  await pass(world, DAY);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 2 });
  await putCard(world, key);
  await pass(world, 2 * DAY);
  expect(await orderStatus(world, `${id}-1`)).toBe('paid');
  expect(await getSubscription(world, id)).toMatchObject({ status: 'active', cycle: 2 });
  await world.sandbox.control(svc_uid, 'deposit');
  expect(await discrepanciesOf(world, `${id}-1`)).toMatchObject([{ kind: 'duplicate_payment' }]);
});

test('a virtual account that somebody opens before the first payment does not hide that it failed', async () => {
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key);
  await world.sandbox.pay({ merchant_uid: `${id}-1`, amount: 1000, outcome: 'virtual_account' });
  await pass(world, HOUR);
  expect(await orderStatus(world, `${id}-1`)).toBe('awaiting_deposit');
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 1 });
});

test('it ends after the third retry, which comes on the seventh day, and nothing is charged any more', async () => {
  const date = inSeconds(world, HOUR);
  const id = await subscribePastDue();
  const later = (days: number) => new Date(Date.parse(date) + days * DAY * 1000).toISOString();
  for (const [attempt, days] of [
    [1, 1],
    [2, 3],
    [3, 7],
  ] as const) {
    expect(await getSubscription(world, id)).toMatchObject({ attempt, next_payment_at: later(days) });
    // Not a minute early.
    await pass(world, (Date.parse(later(days)) - world.clock.nowMs()) / 1000 - 240);
    expect(await paymentsWith(world, key)).toHaveLength(attempt);
    await pass(world, 60);
    expect(await paymentsWith(world, key)).toHaveLength(attempt + 1);
  }
  expect(await getSubscription(world, id)).toMatchObject({
    status: 'ended',
    end_reason: 'declined',
    next_payment_at: null,
    current_order: { merchant_uid: `${id}-1`, status: 'failed', charge: 'failed' },
  });
  expect(await eventsOf(world, id)).toEqual([
    'payment_failed 1.0 declined',
    'payment_failed 1.1 declined',
    'payment_failed 1.2 declined',
    'payment_failed 1.3 declined',
    'ended 1.3 declined',
  ]);
  await putCard(world, key);
  await pass(world, 40 * DAY);
  expect(await paymentsWith(world, key)).toHaveLength(4);
  expect(await scheduledWith(world, key)).toEqual([]);
});

test('the event of a failed payment says when the next one is, and that of the last says that there is none', async () => {
  const id = await subscribePastDue();
  for (const days of [1, 2, 4]) await pass(world, days * DAY);
  const { body } = await world.api('GET', `/api/events?subscription_id=${id}`);
  const data = body.list.map((event: { data: Record<string, unknown> }) => event.data);
  expect(data[0]).toEqual({
    subscription_id: id,
    member_id: key.memberId,
    customer_uid: key.customerUid,
    cycle: 1,
    merchant_uid: `${id}-1`,
    amount: 1000,
    currency: 'KRW',
    attempt: 0,
    next_payment_at: expect.stringMatching(/^\d{4}-/),
    reason: 'declined',
  });
  expect(data.slice(-2)).toMatchObject([{ next_payment_at: null }, { next_payment_at: null }]);
  expect(body.list.map((event: { id: string }) => event.id.replace(/\d+$/, ''))).toEqual(
    data.map(() => `subscription:${id}:`),
  );
  const both = await world.api('GET', `/api/events?subscription_id=${id}&merchant_uid=${id}-1`);
  expect([both.status, both.body.error.code]).toEqual([400, 'invalid_request']);
});

test('an order that is charged by hand while a retry waits counts as paid, and the retry is not made', async () => {
  const id = await subscribePastDue();
  await putCard(world, key);
  expect((await charge(world, `${id}-1`, key.customerUid)).status).toBe(200);
  await pass(world, 0);
  expect(await getSubscription(world, id)).toMatchObject({
    status: 'active',
    cycle: 2,
    attempt: 0,
    current_order: { charge: 'scheduled' },
  });
  await pass(world, 8 * DAY);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 failed`, `${id}-1 paid`]);
  expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined', 'renewed 1.1']);
});

test('a charge by hand that fails is no attempt of the plan', async () => {
  const id = await subscribePastDue();
  expect((await charge(world, `${id}-1`, key.customerUid)).status).toBe(402);
  await pass(world, HOUR);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 1 });
});

test('days that went by while a payment was late are left out: nobody pays for several at once', async () => {
  const date = Date.parse(inSeconds(world, HOUR));
  const id = await subscribePastDue({ interval: 'day' });
  await pass(world, DAY);
  await putCard(world, key);
  await pass(world, 2 * DAY);
  expect(await getSubscription(world, id)).toMatchObject({
    status: 'active',
    cycle: 5,
    next_payment_at: new Date(date + 4 * DAY * 1000).toISOString(),
  });
  await pass(world, DAY);
  expect(await paymentsWith(world, key)).toEqual([
    `${id}-1 failed`,
    `${id}-1 failed`,
    `${id}-1 paid`,
    `${id}-5 paid`,
  ]);
});

test('a cycle that was refunded was paid: the plan goes on', async () => {
  const id = await subscribe(world, key, { interval: 'day' });
  // The plan has not seen that it was paid.
  await passAtService(world, HOUR);
  const [payment] = (await getOrder(world, `${id}-1`)).payments;
  const refund = { amount: 1000, checksum: 1000, reason: 'cold tea' };
  const { status } = await world.api('POST', `/api/payments/${payment.svc_uid}/cancel`, refund);
  expect(status).toBe(200);
  await pass(world, 0);
  expect(await orderStatus(world, `${id}-1`)).toBe('cancelled');
  expect(await getSubscription(world, id)).toMatchObject({ status: 'active', cycle: 2 });
});

test('an order that is closed before it is paid ends the plan', async () => {
  const id = await subscribePastDue();
  expect((await world.api('POST', `/api/orders/${id}-1/close`)).status).toBe(200);
  await pass(world, 0);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'ended', end_reason: 'order_closed' });
  expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined', 'ended 1.1 order_closed']);
});

test('an order that is paid in the window before its time is not paid again: its schedule is revoked', async () => {
  const id = await subscribe(world, key);
  await world.sandbox.pay({ merchant_uid: `${id}-1`, amount: 1000 });
  await pass(world, 0);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'active', cycle: 2 });
  expect(await chargesOf(world, `${id}-1`)).toMatchObject([{ status: 'revoked' }]);
  expect(await scheduledWith(world, key)).toEqual([`${id}-2`]);
  await pass(world, 2 * HOUR);
  expect(await paymentsWith(world, key)).toEqual([]);
});

test('a schedule that was revoked past the plan is made again the day after at the latest', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 5 * DAY) });
  const revocation = { customer_uid: key.customerUid, merchant_uid: `${id}-1` };
  expect((await world.api('POST', '/api/schedules/revoke', revocation)).status).toBe(200);
  await pass(world, DAY);
  expect(await scheduledWith(world, key)).toEqual([`${id}-1`]);
  await pass(world, 4 * DAY);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

describe('a person has to decide', () => {
  test('about a charge that does not fit its order: the plan waits, for as long as it takes, and goes on', async () => {
    const id = await subscribe(world, key);
    await callService(world, '/subscribe/payments/unschedule', { customer_uid: key.customerUid });
    await world.rows.query(`update charges set status = 'needs_review' where merchant_uid = $1`, [`${id}-1`]);
    for (const days of [1, 8]) await pass(world, days * DAY);
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'active',
      cycle: 1,
      needs_person: 'charge_needs_review',
    });
    expect(await eventsOf(world, id)).toEqual([]);
    await world.rows.query(
      `update charges set status = 'not_executed', resolved_at = now() where merchant_uid = $1`,
      [`${id}-1`],
    );
    await pass(world, 20 * 60);
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  });

  test('about an order over another amount under the name of a cycle: it neither counts nor is charged', async () => {
    const id = await subscribe(world, key);
    await world.api('POST', '/api/orders', { merchant_uid: `${id}-2`, name: 'Tea', amount: 1 });
    await world.sandbox.pay({ merchant_uid: `${id}-2`, amount: 1 });
    await pass(world, HOUR);
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'active',
      cycle: 2,
      needs_person: 'order_conflict',
    });
    await pass(world, 40 * DAY);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
    // The order is none of the plan, which can be cancelled all the same.
    expect((await cancel(world, id)).body).toMatchObject({ status: 'cancelled', cycle: 2 });
    expect(await orderStatus(world, `${id}-2`)).toBe('paid');
  });
});

describe('the service', () => {
  test('is down when a schedule is to be made: it is made later', async () => {
    await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'status', status: 429, times: 1 });
    const id = await subscribe(world, key);
    expect((await getSubscription(world, id)).current_order).toMatchObject({ charge: 'not_executed' });
    await pass(world, 5 * 60);
    expect(await scheduledWith(world, key)).toEqual([`${id}-1`]);
  });

  test('refuses schedules until the payment is due: it is made by us then', async () => {
    await world.sandbox.fault({
      endpoint: SCHEDULE,
      kind: 'status',
      status: 200,
      body: '{"code":1,"message":"not now","response":null}',
      headers: { 'content-type': 'application/json' },
      times: 100,
    });
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, DAY) });
    for (let hours = 0; hours < 22; hours += 2) await pass(world, 2 * HOUR);
    expect(await eventsOf(world, id)).toEqual([]);
    // Not every minute.
    expect((await chargesOf(world, `${id}-1`)).length).toBeLessThan(8);
    await pass(world, 2 * HOUR);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  });

  test('is down when a payment is due: that is no failure of the member’s card, and it is made later', async () => {
    const id = await subscribePastDue();
    await putCard(world, key);
    await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'status', status: 429, times: 3 });
    await pass(world, DAY);
    for (let times = 0; times < 4; times += 1) await pass(world, 5 * 60);
    expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined', 'renewed 1.1']);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 failed`, `${id}-1 paid`]);
  });

  test('refuses a charge: that is a payment that failed', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
    await world.sandbox.fault({
      endpoint: CHARGE_KEY,
      kind: 'status',
      status: 200,
      body: '{"code":1,"message":"no","response":null}',
      headers: { 'content-type': 'application/json' },
    });
    await pass(world, 30);
    expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 refused']);
    expect(await world.sandbox.requestsDuring(UNSCHEDULE, () => pass(world, 0))).toBe(0);
  });
});
