// A plan is changed, paused and resumed: from the next cycle on, and never so that a cycle is charged twice or left out.

import { advanceSubscription } from '../../../src/merchant/options/subscriptions/advance-subscription';
import {
  changeSubscription,
  writeWantedChange,
} from '../../../src/merchant/options/subscriptions/change-store';
import { revokeSchedule, stopCycle } from '../../../src/merchant/options/subscriptions/stop-cycle';
import {
  claimSubscriptions,
  findSubscription,
} from '../../../src/merchant/options/subscriptions/subscription-store';
import { callService } from '../../support/calls';
import { CARD_THAT_FAILS } from '../../support/cards';
import { registerKey } from '../../support/keys';
import { getOrder, orderStatus } from '../../support/orders';
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

const ask = (id: string, what: 'change' | 'pause' | 'resume', body: object = {}) =>
  world.api('POST', `/api/subscriptions/${id}/${what}`, what === 'change' ? body : undefined);
const amountOf = async (uid: string) => (await getOrder(world, uid)).amount;
const NOTHING = { customer_uid: null, amount: null, name: null, pause: false };

describe('what its payments carry', () => {
  test('buyer and own data are in each schedule and order; the same request again is the same', async () => {
    const wanted = subscriptionOf(world, key, {
      buyer: { name: '김하나', postcode: '04524' },
      custom_data: { plan: 'tea' },
    });
    const created = await world.api('POST', '/api/subscriptions', wanted);
    const buyer = { name: '김하나', email: null, tel: null, addr: null, postcode: '04524' };
    expect([created.status, created.body]).toMatchObject([201, { buyer, custom_data: { plan: 'tea' } }]);
    expect((await world.api('POST', '/api/subscriptions', wanted)).status).toBe(200);
    const changed = { ...wanted, buyer: { name: '김두리' } };
    expect((await world.api('POST', '/api/subscriptions', changed)).status).toBe(409);
    await pass(world, HOUR);
    const [first] = (await getOrder(world, `${wanted.subscription_id}-1`)).payments;
    expect(first.record).toMatchObject({ buyer_name: '김하나', buyer_postcode: '04524' });
    expect(JSON.parse(first.record.custom_data)).toMatchObject({ custom_data: { plan: 'tea' } });
    const [next] = await callService(
      world,
      `/subscribe/payments/schedule/customers/${key.customerUid}?from=0&to=9999999999&schedule-status=scheduled`,
    );
    expect(next).toMatchObject({ merchant_uid: `${wanted.subscription_id}-2`, buyer_name: '김하나' });
  });

  test.each([
    ['card_quota', 3],
    ['tax_free', 100],
    ['vat_amount', 90],
  ])('%s, which the service takes for no schedule, is refused with the reason', async (field, value) => {
    const wanted = subscriptionOf(world, key, { amount: 60_000, [field]: value });
    const { status, body } = await expectNoEffect(world, () =>
      world.api('POST', '/api/subscriptions', wanted),
    );
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(new RegExp(`${field}.*scheduled payment \\(§4\\.9\\)`));
  });
});

describe('changed', () => {
  test('before its date: the schedule is replaced by one of the new amount, card and name, at the same time', async () => {
    const id = await subscribe(world, key);
    await pass(world, HOUR);
    const { next_payment_at: date } = await getSubscription(world, id);
    const second = await registerKey(world, { memberId: key.memberId });
    const terms = { amount: 2000, name: 'More tea', customer_uid: second.customerUid };
    const { status, body } = await ask(id, 'change', terms);
    const order = { merchant_uid: `${id}-3`, status: 'open', charge: 'scheduled' };
    const holds = { ...terms, cycle: 3, next_payment_at: date, pending_change: null, current_order: order };
    expect([status, body]).toMatchObject([200, holds]);
    expect(await orderStatus(world, `${id}-2`)).toBe('closed');
    expect([await scheduledWith(world, key), await scheduledWith(world, second)]).toEqual([[], [`${id}-3`]]);
    // Again: nothing differs.
    expect((await expectNoEffect(world, () => ask(id, 'change', terms))).status).toBe(200);
    await pass(world, (Date.parse(date) - world.clock.nowMs()) / 1000);
    expect(await paymentsWith(world, second)).toEqual([`${id}-3 paid`]);
    expect(await amountOf(`${id}-3`)).toBe(2000);
    expect(await eventsOf(world, id)).toEqual(['renewed 1.0', 'changed 3.0', 'renewed 3.0']);
    // An order of the amount from before still belongs to the plan.
    const [{ svc_uid: svcUid }] = (await getOrder(world, `${id}-1`)).payments;
    await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'Late' });
    const { body: told } = await world.api('GET', `/api/events?merchant_uid=${id}-1`);
    expect(told.list.at(-1)).toMatchObject({ type: 'order.cancelled', data: { subscription_id: id } });
  });

  test('the card alone: the order stays, and its schedule gets the other card', async () => {
    const id = await subscribe(world, key);
    const second = await registerKey(world, { memberId: key.memberId });
    const { status, body } = await ask(id, 'change', { customer_uid: second.customerUid });
    expect([status, body]).toMatchObject([200, { cycle: 1, customer_uid: second.customerUid }]);
    expect([await scheduledWith(world, key), await scheduledWith(world, second)]).toEqual([[], [`${id}-1`]]);
    await pass(world, HOUR);
    expect([await paymentsWith(world, key), await paymentsWith(world, second)]).toEqual([
      [],
      [`${id}-1 paid`],
    ]);
  });

  test('while it is retried: the other card pays the retry, the amount holds from the next cycle on', async () => {
    await putCard(world, key, CARD_THAT_FAILS);
    const id = await subscribe(world, key);
    await pass(world, HOUR);
    const second = await registerKey(world, { memberId: key.memberId });
    const { status, body } = await ask(id, 'change', { customer_uid: second.customerUid, amount: 2000 });
    const waits = { customer_uid: second.customerUid, amount: 1000, status: 'past_due' };
    expect([status, body]).toMatchObject([202, { ...waits, pending_change: { ...NOTHING, amount: 2000 } }]);
    await pass(world, DAY);
    expect(await paymentsWith(world, second)).toEqual([`${id}-1 paid`]);
    expect([await amountOf(`${id}-1`), await amountOf(`${id}-2`)]).toEqual([1000, 2000]);
    expect(await getSubscription(world, id)).toMatchObject({ amount: 2000, pending_change: null });
  });

  test('while its payment is under way: from the next cycle on', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30), interval: 'day' });
    await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
    await world.withoutNotifications(async () => {
      await world.advance(30);
      await world.runEveryMinute();
    });
    expect((await ask(id, 'change', { amount: 2000 })).status).toBe(202);
    expect((await ask(id, 'pause')).body.pending_change).toEqual({ ...NOTHING, amount: 2000, pause: true });
    expect((await ask(id, 'resume')).body.pending_change).toEqual({ ...NOTHING, amount: 2000 });
    await pass(world, 60);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
    await pass(world, DAY);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`, `${id}-2 paid`]);
    expect([await amountOf(`${id}-1`), await amountOf(`${id}-2`)]).toEqual([1000, 2000]);
  });

  test('nothing, an unknown field or an unknown key: refused', async () => {
    const id = await subscribe(world, key);
    for (const [body, status, code] of [
      [{}, 400, 'invalid_request'],
      [{ interval: 'day' }, 400, 'invalid_request'],
      [{ customer_uid: 'card-none' }, 404, 'billing_key_not_found'],
    ] as const) {
      const answer = await expectNoEffect(world, () => ask(id, 'change', body));
      expect([body, answer.status, answer.body.error.code]).toEqual([body, status, code]);
    }
  });

  test('another member’s key is refused, and so is a plan that is over, or none', async () => {
    const id = await subscribe(world, key);
    const { customerUid } = await registerKey(world);
    const foreign = await expectNoEffect(world, () => ask(id, 'change', { customer_uid: customerUid }));
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'foreign_billing_key']);
    await cancel(world, id);
    for (const what of ['change', 'pause', 'resume'] as const) {
      const over = await expectNoEffect(world, () => ask(id, what, { amount: 5 }));
      expect([over.status, over.body.error.code]).toEqual([409, 'subscription_over']);
      expect((await ask('sub-none', what, { amount: 5 })).status).toBe(404);
    }
  });
});

describe('paused', () => {
  test('over two dates: nothing is charged, and it continues with the first date that lies ahead', async () => {
    const id = await subscribe(world, key, { interval: 'week' });
    const { first_payment_at: first } = await getSubscription(world, id);
    const { status, body } = await ask(id, 'pause');
    const paused = { status: 'paused', next_payment_at: null, current_order: null, pending_change: null };
    expect([status, body]).toMatchObject([200, paused]);
    expect(await scheduledWith(world, key)).toEqual([]);
    expect((await expectNoEffect(world, () => ask(id, 'pause'))).body).toEqual(body);
    await pass(world, 8 * DAY);
    expect((await ask(id, 'change', { amount: 2000 })).body).toMatchObject({ ...paused, amount: 2000 });
    expect(await paymentsWith(world, key)).toEqual([]);
    const resumed = await ask(id, 'resume');
    const date = new Date(Date.parse(first) + 14 * DAY * 1000).toISOString();
    expect(resumed.body).toMatchObject({ status: 'active', next_payment_at: date, cycle: 4 });
    expect((await expectNoEffect(world, () => ask(id, 'resume'))).body).toEqual(resumed.body);
    await pass(world, 6 * DAY + HOUR);
    expect(await paymentsWith(world, key)).toEqual([`${id}-4 paid`]);
    expect(await amountOf(`${id}-4`)).toBe(2000);
    const told = ['paused 2.0', 'changed 2.0', 'resumed 4.0', 'renewed 4.0'];
    expect(await eventsOf(world, id)).toEqual(told);
  });

  test('and resumed before its date: that date is paid, once', async () => {
    const id = await subscribe(world, key);
    const { next_payment_at: date } = await getSubscription(world, id);
    await ask(id, 'pause');
    expect((await ask(id, 'resume')).body).toMatchObject({ next_payment_at: date, cycle: 2 });
    await pass(world, HOUR);
    expect(await paymentsWith(world, key)).toEqual([`${id}-2 paid`]);
  });

  test('while a payment is retried: it is tried no more, also after it is resumed', async () => {
    await putCard(world, key, CARD_THAT_FAILS);
    const id = await subscribe(world, key);
    const { first_payment_at: first } = await getSubscription(world, id);
    await pass(world, HOUR);
    expect((await ask(id, 'pause')).body).toMatchObject({ status: 'paused', attempt: 0 });
    await putCard(world, key);
    await pass(world, 2 * DAY);
    const { body } = await ask(id, 'resume');
    expect(Date.parse(body.next_payment_at)).toBeGreaterThan(Date.parse(first) + 27 * DAY * 1000);
    await pass(world, 8 * DAY);
    expect(await paymentsWith(world, key)).toEqual([`${id}-1 failed`]);
  });

  test('and cancelled: it ends, and calls nobody', async () => {
    const id = await subscribe(world, key);
    await ask(id, 'pause');
    const calls = await world.sandbox.requestsDuring(UNSCHEDULE, () => cancel(world, id));
    expect([calls, (await getSubscription(world, id)).status]).toEqual([0, 'cancelled']);
    expect(await eventsOf(world, id)).toEqual(['paused 2.0', 'ended 2.0 cancelled']);
  });

  test('while the service revokes nothing: it waits, and is paused as soon as it does', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, DAY) });
    await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'status', status: 429 });
    const { status, body } = await ask(id, 'pause');
    const seen = { status: 'active', pending_change: { pause: true }, needs_person: 'schedule_not_revoked' };
    expect([status, body]).toMatchObject([202, seen]);
    await pass(world, 6 * 60);
    expect(await getSubscription(world, id)).toMatchObject({ status: 'paused', needs_person: null });
    expect(await scheduledWith(world, key)).toEqual([]);
  });
});

describe('a process dies, or several work at once', () => {
  async function read(id: string) {
    const found = await findSubscription(world.context(), id);
    if (!found) throw new Error('there is no such plan');
    return found;
  }
  const wanted = { nextCustomerUid: null, nextAmount: 2000n, nextName: null, isPausing: false };

  test('after any of its steps: the change is made, and the date is paid once', async () => {
    const steps: ((id: string) => Promise<unknown>)[] = [
      async (id) => writeWantedChange(world.context(), await read(id), wanted),
      async (id) => revokeSchedule(world.context(), await read(id)),
      async (id) => changeSubscription(world.context(), await read(id), { isReplacing: true }, []),
      async (id) => expect(await stopCycle(world.context(), await read(id))).toBeNull(),
    ];
    const plans: string[] = [];
    for (const done of steps.keys()) {
      const id = await subscribe(world, key, { first_payment_at: inSeconds(world, DAY) });
      for (const step of steps.slice(0, done + 1)) await step(id);
      plans.push(id);
    }
    await pass(world, 0);
    for (const id of plans)
      expect(await getSubscription(world, id)).toMatchObject({ status: 'active', cycle: 2, amount: 2000 });
    await pass(world, DAY);
    expect((await paymentsWith(world, key)).sort()).toEqual(plans.map((id) => `${id}-2 paid`));
  });

  test('a process that still works on the cycle from before schedules and writes nothing', async () => {
    const id = await subscribe(world, key);
    await world.api('POST', '/api/schedules/revoke', { customer_uid: key.customerUid });
    const claimedUntil = new Date(world.clock.nowMs() + 300_000);
    const [claimed] = await claimSubscriptions(world.context(), {
      claimedUntil,
      limit: 1,
      subscriptionId: id,
    });
    if (!claimed) throw new Error('not claimed');
    const { body } = await ask(id, 'change', { amount: 2000 });
    expect(body).toMatchObject({ cycle: 2, current_order: { charge: 'scheduled' } });
    const calls = await world.sandbox.requestsDuring(SCHEDULE, () =>
      advanceSubscription(world.context(), claimed),
    );
    expect([calls, await getSubscription(world, id)]).toEqual([0, body]);
  });

  test('changes, pauses and resumes at once: one of each order wins, and at most one payment is planned', async () => {
    const id = await subscribe(world, key, { first_payment_at: inSeconds(world, DAY) });
    const asked = [1, 2, 3].flatMap((each) => [
      ask(id, 'change', { amount: 1000 * each + 1000 }),
      ask(id, 'pause'),
      ask(id, 'resume'),
    ]);
    for (const { status } of await Promise.all(asked)) expect([200, 202, 409]).toContain(status);
    expect((await scheduledWith(world, key)).length).toBeLessThanOrEqual(1);
    await ask(id, 'resume');
    await pass(world, 0);
    const { cycle, pending_change: pending } = await getSubscription(world, id);
    expect([pending, await scheduledWith(world, key)]).toEqual([null, [`${id}-${cycle}`]]);
    await pass(world, DAY);
    expect(await paymentsWith(world, key)).toEqual([`${id}-${cycle} paid`]);
  });
});
