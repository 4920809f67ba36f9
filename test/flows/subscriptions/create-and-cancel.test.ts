// A subscription is created: its first payment is scheduled, or made if it is due now. It is cancelled: after the answer 200
// no more money moves; if that cannot be guaranteed, it is not cancelled, and the plan continues.

import { advanceSubscription } from '../../../src/merchant/options/subscriptions/advance-subscription';
import { claimSubscriptions } from '../../../src/merchant/options/subscriptions/subscription-store';
import { CARD_THAT_FAILS } from '../../support/cards';
import { charge, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
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
  subscriptionOf,
  UNSCHEDULE,
  useKey,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

describe('created', () => {
  const create = (wanted: object) => world.api('POST', '/api/subscriptions', wanted);

  /** Expects a refusal with this code and no effect. */
  async function expectRefused(wanted: object, status: number, code: string): Promise<void> {
    const answer = await expectNoEffect(world, () => create(wanted));
    expect([wanted, answer.status, answer.body.error.code]).toEqual([wanted, status, code]);
  }

  test('the first payment is scheduled when it is created, with an order of its member', async () => {
    const wanted = subscriptionOf(world, key, { interval: 'week' });
    const { status, body } = await create(wanted);
    const { subscription_id: id, first_payment_at } = wanted;
    const order = { merchant_uid: `${id}-1`, status: 'open', charge: 'scheduled' };
    const begun = { status: 'active', cycle: 1, attempt: 0, next_payment_at: first_payment_at };
    expect([status, body]).toMatchObject([201, { ...wanted, ...begun, current_order: order }]);
    expect(await getSubscription(world, id)).toEqual(body);
    const registered = { name: wanted.name, amount: 1000, currency: 'KRW', member_id: key.memberId };
    expect(await getOrder(world, `${id}-1`)).toMatchObject(registered);
    expect(await scheduledWith(world, key)).toEqual([`${id}-1`]);
    expect(await eventsOf(world, id)).toEqual([]);
  });

  test('a first payment that is due now is made at once, and the second is scheduled', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 0), interval: 'day' });
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'active',
      cycle: 2,
      next_payment_at: inSeconds(world, DAY),
      current_order: { merchant_uid: `${id}-2`, charge: 'scheduled' },
    });
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  });

  test('the same request again changes nothing, also after its date and without its key', async () => {
    const wanted = subscriptionOf(world, key);
    const first = await create(wanted);
    const again = await expectNoEffect(world, () => create(wanted));
    expect(again).toEqual({ status: 200, body: first.body });
    await pass(world, 2 * HOUR);
    const remove = `update billing_keys set status = 'removed' where customer_uid = $1`;
    await world.rows.query(remove, [key.customerUid]);
    expect((await create(wanted)).status).toBe(200);
  });

  test('concurrent requests create one subscription with one schedule', async () => {
    const wanted = subscriptionOf(world, key);
    const calls = await world.sandbox.requestsDuring(SCHEDULE, async () => {
      const answers = await Promise.all([create(wanted), create(wanted), create(wanted)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    });
    expect(calls).toBe(1);
    expect(await scheduledWith(world, key)).toEqual([`${wanted.subscription_id}-1`]);
  });

  test('the same id with anything else is a conflict, and nothing changes', async () => {
    const wanted = subscriptionOf(world, key);
    await create(wanted);
    for (const changes of [
      { amount: 2000 },
      { name: 'Coffee' },
      { interval: 'year' },
      { currency: 'USD' },
      { first_payment_at: '2030-01-01T00:00:00Z' },
      { member_id: 'somebody-else' },
      { customer_uid: 'card-other' },
    ])
      await expectRefused({ ...wanted, ...changes }, 409, 'subscription_conflict');
  });

  test('another order under the id of the first one is a conflict, because it would count for the cycle', async () => {
    const wanted = subscriptionOf(world, key);
    await registerOrder(world, `${wanted.subscription_id}-1`);
    await expectRefused(wanted, 409, 'order_conflict');
  });

  test.each([
    ['an unknown key', { customer_uid: 'card-none' }, 404, 'billing_key_not_found'],
    ['another member', { member_id: 'somebody-else' }, 403, 'foreign_billing_key'],
    ['a date that is past', { first_payment_at: '2020-01-01T00:00:00Z' }, 400, 'invalid_request'],
    ['a date in a hundred years', { first_payment_at: '2126-01-01T00:00:00Z' }, 400, 'invalid_request'],
    ['a body that is none', { memberid: 'x' }, 400, 'invalid_request'],
  ])('with %s it is refused, and nothing is stored or sent', (_, changes, status, code) =>
    expectRefused(subscriptionOf(world, key, changes), status, code),
  );
});

describe('cancelled', () => {
  async function expectNoMoreMoney(): Promise<void> {
    const before = await paymentsWith(world, key);
    expect(await scheduledWith(world, key)).toEqual([]);
    await pass(world, 32 * DAY);
    expect(await paymentsWith(world, key)).toEqual(before);
  }

  test('before the first payment: its schedule is revoked, its order closed, and a second cancellation changes nothing', async () => {
    const id = await subscribe(world, key);
    const first = await cancel(world, id);
    const order = { merchant_uid: `${id}-1`, status: 'closed', charge: 'revoked' };
    const over = { status: 'cancelled', end_reason: 'cancelled', next_payment_at: null };
    expect(first).toMatchObject({ status: 200, body: { ...over, current_order: order } });
    expect(await expectNoEffect(world, () => cancel(world, id))).toEqual(first);
    expect(await eventsOf(world, id)).toEqual(['ended 1.0 cancelled']);
    await expectNoMoreMoney();
    expect((await charge(world, `${id}-1`, key.customerUid)).body.error.code).toBe('order_not_payable');
  });

  test('while its payment waits for a retry: no retry is made', async () => {
    await putCard(world, key, CARD_THAT_FAILS);
    const id = await subscribe(world, key);
    await pass(world, HOUR);
    expect((await cancel(world, id)).body).toMatchObject({ status: 'cancelled', cycle: 1, attempt: 1 });
    await putCard(world, key);
    await expectNoMoreMoney();
  });

  test('before its order is registered: the order is created as closed, so it cannot be charged', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
    expect((await getSubscription(world, id)).current_order).toBeNull();
    expect((await cancel(world, id)).body.current_order).toMatchObject({ status: 'closed', charge: null });
    await expectNoMoreMoney();
  });

  test.each([
    [
      'paid a moment ago, and its notification was lost',
      'paid',
      () => world.withoutNotifications(() => passAtService(world, HOUR)),
    ],
    [
      'paid and refunded',
      'cancelled',
      async (id: string) => {
        await passAtService(world, HOUR);
        const [payment] = (await getOrder(world, `${id}-1`)).payments;
        await world.sandbox.control(payment.svc_uid, 'cancel');
      },
    ],
  ])('%s, and not seen by the plan: one last event reports it as renewed', async (_, status, happens) => {
    const id = await subscribe(world, key);
    await happens(id);
    const { body } = await cancel(world, id);
    expect(body).toMatchObject({ status: 'cancelled', cycle: 1, current_order: { status } });
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0', 'ended 1.0 cancelled']);
    await expectNoMoreMoney();
  });

  test('the service does not accept the request: 503, and nothing has changed', async () => {
    const id = await subscribe(world, key);
    const before = await getSubscription(world, id);
    await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'status', status: 429 });
    const { status, body } = await cancel(world, id);
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect(await getSubscription(world, id)).toEqual(before);
    await pass(world, HOUR);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
  });

  test('the outcome of a charge is not known: 409 until it is, then it is cancelled', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
    await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
    await world.withoutNotifications(async () => {
      await world.advance(30);
      await world.runEveryMinute();
    });
    const { status, body } = await cancel(world, id);
    expect([status, body.error.code]).toEqual([409, 'charge_pending']);
    await pass(world, 60);
    expect((await cancel(world, id)).status).toBe(200);
    await expectNoMoreMoney();
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
  });

  test('after a payment: it stays paid, and a process that was advancing the plan schedules and writes nothing', async () => {
    const id = await subscribe(world, key);
    await pass(world, HOUR);
    await world.api('POST', '/api/schedules/revoke', { customer_uid: key.customerUid });
    const other = world.context();
    const claimedUntil = new Date(world.clock.nowMs() + 300_000);
    const [claimed] = await claimSubscriptions(other, { claimedUntil, limit: 1, subscriptionId: id });
    if (!claimed) throw new Error('not claimed');
    const cancelled = await cancel(world, id);
    expect(cancelled.status).toBe(200);
    const calls = await world.sandbox.requestsDuring(SCHEDULE, () => advanceSubscription(other, claimed));
    expect(calls).toBe(0);
    expect(await getSubscription(world, id)).toEqual(cancelled.body);
    expect(await orderStatus(world, `${id}-2`)).toBe('closed');
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0', 'ended 2.0 cancelled']);
    await expectNoMoreMoney();
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
  });
});
