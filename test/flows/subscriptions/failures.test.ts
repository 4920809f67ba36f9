// A cycle of a subscription is not paid: a failed payment is retried after 1, 3 and 7 days, then the plan
// ends; an unusable billing key or order ends it too, or waits for a person. If a process dies, or two work at
// once, no cycle is scheduled or paid twice, and the plan continues.

import { chargeOrder } from '../../../src/merchant/core/charges/charge-order';
import { advanceSubscriptions } from '../../../src/merchant/options/subscriptions/advance-subscriptions';
import { claimSubscriptions } from '../../../src/merchant/options/subscriptions/subscription-store';
import { closeContext } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { createMemberBrowser } from '../../support/browsers';
import { callService } from '../../support/calls';
import { CARD_THAT_FAILS } from '../../support/cards';
import { memberIdOf, registerKey, replaceKey } from '../../support/keys';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import {
  cancel,
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  paymentsWith,
  putCard,
  SCHEDULE,
  scheduledWith,
  subscribe,
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

test('it ends after the third retry on the seventh day, and nothing more is charged', async () => {
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
    ...[0, 1, 2, 3].map((attempt) => `payment_failed 1.${attempt} declined`),
    'ended 1.3 declined',
  ]);
  const { body } = await world.api('GET', `/api/events?subscription_id=${id}`);
  const next = body.list.map(({ data }: { data: Record<string, unknown> }) => data['next_payment_at']);
  expect(next).toEqual([later(1), later(3), later(7), null, null]);
  const { memberId, customerUid } = key;
  expect(body.list[0].data).toMatchObject({ member_id: memberId, customer_uid: customerUid, amount: 1000 });
  const both = await world.api('GET', `/api/events?subscription_id=${id}&merchant_uid=${id}-1`);
  expect([both.status, both.body.error.code]).toEqual([400, 'invalid_request']);

  await putCard(world, key);
  await pass(world, 40 * DAY);
  expect(await paymentsWith(world, key)).toHaveLength(4);
  expect(await scheduledWith(world, key)).toEqual([]);
});

test('a manual charge that is paid counts, ends the retries, and skips the periods that have passed', async () => {
  const date = Date.parse(inSeconds(world, HOUR));
  const id = await subscribePastDue({ interval: 'day' });
  // A failed one does not count as an attempt of the plan.
  expect((await charge(world, `${id}-1`, key.customerUid)).status).toBe(402);
  await pass(world, DAY);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 2 });
  await putCard(world, key);
  expect((await charge(world, `${id}-1`, key.customerUid)).status).toBe(200);
  await pass(world, 0);
  expect(await getSubscription(world, id)).toMatchObject({
    status: 'active',
    cycle: 3,
    attempt: 0,
    next_payment_at: new Date(date + 2 * DAY * 1000).toISOString(),
    current_order: { charge: 'scheduled' },
  });
  await pass(world, DAY);
  const failed = `${id}-1 failed`;
  const all = [failed, failed, failed, `${id}-1 paid`, `${id}-3 paid`];
  expect((await paymentsWith(world, key)).sort()).toEqual(all);
  expect(await eventsOf(world, id)).toEqual([
    'payment_failed 1.0 declined',
    'payment_failed 1.1 declined',
    'renewed 1.2',
    'renewed 3.0',
  ]);
});

test('an order that is paid in the window before its date is not paid again, and its schedule is revoked', async () => {
  const id = await subscribe(world, key);
  await world.sandbox.pay({ merchant_uid: `${id}-1`, amount: 1000 });
  await pass(world, 0);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'active', cycle: 2 });
  expect(await chargesOf(world, `${id}-1`)).toMatchObject([{ status: 'revoked' }]);
  expect(await scheduledWith(world, key)).toEqual([`${id}-2`]);
  await pass(world, 2 * HOUR);
  expect(await paymentsWith(world, key)).toEqual([]);
});

describe('its billing key', () => {
  test('gets another card, which pays from then on; after its removal the next due payment ends the plan', async () => {
    const browser = createMemberBrowser(world);
    const own = await registerKey(world, { memberId: await memberIdOf(browser) });
    const id = await subscribe(world, own, { interval: 'week' });
    await replaceKey(world, own, '4242-4242-4242-4242');
    await pass(world, HOUR);
    expect((await getOrder(world, `${id}-1`)).payments[0].card_number).toMatch(/^4242/);

    expect((await browser.remove(await browser.openRemoval())).status).toBe(303);
    await pass(world, 6 * DAY);
    expect(await getSubscription(world, id)).toMatchObject({ status: 'active', needs_person: null });
    expect(await world.sandbox.requestsDuring(CHARGE_KEY, () => pass(world, DAY))).toBe(0);
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'ended',
      end_reason: 'billing_key_not_active',
      current_order: { status: 'open', charge: 'revoked' },
    });
    expect(await eventsOf(world, id)).toEqual([
      'renewed 1.0',
      'payment_failed 2.0 billing_key_not_active',
      'ended 2.0 billing_key_not_active',
    ]);
  });

  test('belongs to another member now: it is not charged, and is retried like a declined card', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
    const give = 'update billing_keys set member_id = $2 where customer_uid = $1';
    await world.rows.query(give, [key.customerUid, 'other']);
    await pass(world, 30);
    expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 1 });
    expect(await paymentsWith(world, key)).toEqual([]);
    await world.rows.query(give, [key.customerUid, key.memberId]);
    await pass(world, DAY);
    expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 billing_key_not_active', 'renewed 1.1']);
  });
});

describe('a person has to decide', () => {
  test('about a charge: the plan waits for the decision, cannot be cancelled, and then continues', async () => {
    const id = await subscribe(world, key);
    await callService(world, '/subscribe/payments/unschedule', { customer_uid: key.customerUid });
    const decide = 'update charges set status = $2, resolved_at = now() where merchant_uid = $1';
    await world.rows.query(decide, [`${id}-1`, 'needs_review']);
    const { status, body } = await cancel(world, id);
    expect([status, body.error.code]).toEqual([409, 'charge_needs_review']);
    await pass(world, 9 * DAY);
    const waits = { status: 'active', cycle: 1, needs_person: 'charge_needs_review' };
    expect(await getSubscription(world, id)).toMatchObject(waits);
    expect(await eventsOf(world, id)).toEqual([]);
    const [{ id: chargeId } = {}] = await chargesOf(world, `${id}-1`);
    const decision = { outcome: 'not_executed', by: 'kim', note: 'The service shows nothing.' };
    expect((await world.api('POST', `/api/charges/${String(chargeId)}/settle`, decision)).status).toBe(200);
    // At once, not at the next check.
    expect(await getSubscription(world, id)).toMatchObject({ needs_person: null });
    await pass(world, 0);
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  });

  test('about an order of another amount under the id of a cycle: it neither counts nor is charged', async () => {
    const id = await subscribe(world, key);
    await world.api('POST', '/api/orders', { merchant_uid: `${id}-2`, name: 'Tea', amount: 1 });
    await world.sandbox.pay({ merchant_uid: `${id}-2`, amount: 1 });
    await pass(world, HOUR);
    const waits = { status: 'active', cycle: 2, needs_person: 'order_conflict' };
    expect(await getSubscription(world, id)).toMatchObject(waits);
    await pass(world, 40 * DAY);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
    // The order does not belong to the plan, which can still be cancelled.
    expect((await cancel(world, id)).body).toMatchObject({ status: 'cancelled', cycle: 2 });
    expect(await orderStatus(world, `${id}-2`)).toBe('paid');
  });
});

test('an outage of the service is not a failure of the card: schedule and charge are made later', async () => {
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'status', status: 429, times: 1 });
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key);
  expect((await getSubscription(world, id)).current_order).toMatchObject({ charge: 'not_executed' });
  await pass(world, 5 * 60);
  expect(await scheduledWith(world, key)).toEqual([`${id}-1`]);
  await pass(world, HOUR);
  await putCard(world, key);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'status', status: 429, times: 3 });
  await pass(world, DAY);
  for (let times = 0; times < 4; times += 1) await pass(world, 5 * 60);
  expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined', 'renewed 1.1']);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 failed`, `${id}-1 paid`]);
});

const never = new AbortController().signal;
const inFiveMinutes = () => new Date(world.clock.nowMs() + 5 * 60_000);
const claim = (subscriptionId: string) =>
  claimSubscriptions(world.context(), { claimedUntil: inFiveMinutes(), limit: 1, subscriptionId });

test('killed while it advances one: no process touches it until the claim expires, then another one continues', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 60) });
  expect(await claim(id)).toHaveLength(1);
  expect(await claim(id)).toEqual([]);
  await pass(world, 60);
  expect(await paymentsWith(world, key)).toEqual([]);
  await pass(world, 60);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

test('killed between a declined charge and its record: no other charge is made', async () => {
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  world.clock.advance(DAY - 60);
  await claim(id);
  const outcome = await chargeOrder(world.context(), {
    merchantUid: `${id}-1`,
    customerUid: key.customerUid,
  });
  expect(outcome.kind).toBe('declined');
  await world.forgetJobs();
  await pass(world, 10 * 60);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 2 });
  expect(await paymentsWith(world, key)).toHaveLength(2);
});

test('killed between a paid charge and its record: the cycle is paid once', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 60) });
  world.clock.advance(60);
  // It has claimed it, and its process dies after the order was registered and charged.
  await claim(id);
  await registerOrder(world, `${id}-1`, { name: 'Tea of the month', member_id: key.memberId });
  await chargeOrder(world.context(), { merchantUid: `${id}-1`, customerUid: key.customerUid });
  await world.forgetJobs();
  await pass(world, 10 * 60);
  expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

test('two processes at the same moment: each retry makes one charge, each renewal one schedule and one event', async () => {
  const failing = await registerKey(world);
  await putCard(world, failing, CARD_THAT_FAILS);
  const soon = { first_payment_at: inSeconds(world, 60) };
  const good = await Promise.all(Array.from({ length: 4 }, () => subscribe(world, key, soon)));
  const bad = await Promise.all(Array.from({ length: 4 }, () => subscribe(world, failing, soon)));
  world.clock.advance(60);
  const [other, third] = [world.context(), openContext(world)];
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, () =>
    Promise.all([other, third, other, third].map((context) => advanceSubscriptions(context, never))),
  );
  await closeContext(third);
  expect(calls).toBe(8);
  for (const id of good) expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  for (const id of bad) expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined']);
  expect((await scheduledWith(world, key)).sort()).toEqual(good.map((id) => `${id}-2`).sort());
});

test('one that cannot be advanced does not delay the others', async () => {
  const soon = { first_payment_at: inSeconds(world, 60) };
  const broken = await subscribe(world, key, soon);
  const fine = await subscribe(world, key, soon);
  await world.rows.query(
    `alter table orders add constraint nobody check (merchant_uid <> '${broken}-1') not valid`,
  );
  world.clock.advance(60);
  await advanceSubscriptions(world.context(), never);
  expect(await paymentsWith(world, key)).toEqual([`${fine}-1 paid`]);
  expect(await getSubscription(world, fine)).toMatchObject({ cycle: 2 });
  await world.rows.query('alter table orders drop constraint nobody');
  await pass(world, 10 * 60);
  expect((await paymentsWith(world, key)).sort()).toEqual([`${broken}-1 paid`, `${fine}-1 paid`].sort());
});
