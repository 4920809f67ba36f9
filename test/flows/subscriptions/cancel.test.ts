// A subscription is cancelled: after the answer 200 no money moves any more. Where that cannot be made sure of, it is not
// cancelled, and the plan goes on.

import { closeContext } from '../../../src/merchant/context';
import { advanceSubscription } from '../../../src/merchant/subscriptions/advance-subscription';
import { claimSubscriptions } from '../../../src/merchant/subscriptions/subscription-store';
import { openContext } from '../../support/beside-world';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
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

async function expectNoMoreMoney(): Promise<void> {
  const before = await paymentsWith(world, key);
  expect(await scheduledWith(world, key)).toEqual([]);
  for (const days of [1, 31]) await pass(world, days * DAY);
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

test('one whose order was closed has ended by itself, and stays ended', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 5 * DAY) });
  await world.api('POST', '/api/schedules/revoke', { customer_uid: key.customerUid });
  expect((await world.api('POST', `/api/orders/${id}-1/close`)).status).toBe(200);
  await pass(world, DAY);
  expect(await eventsOf(world, id)).toEqual(['ended 1.0 order_closed']);
  expect((await cancel(world, id)).body).toMatchObject({ status: 'ended', end_reason: 'order_closed' });
});

test('while a retry and a deposit for its order are awaited: only what is deposited all the same is recorded', async () => {
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  const account = { merchant_uid: `${id}-1`, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid } = await world.sandbox.pay(account);
  expect((await cancel(world, id)).body).toMatchObject({
    status: 'cancelled',
    attempt: 1,
    current_order: { status: 'closed' },
  });
  await world.sandbox.control(svc_uid, 'deposit');
  await putCard(world, key);
  await expectNoMoreMoney();
  expect(await orderStatus(world, `${id}-1`)).toBe('paid');
  expect(await discrepanciesOf(world, `${id}-1`)).toMatchObject([{ kind: 'paid_after_close' }]);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'cancelled', cycle: 1 });
});

test('before its order is registered: the order is closed all the same, so that nobody can charge it', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
  expect((await getSubscription(world, id)).current_order).toBeNull();
  expect((await cancel(world, id)).body.current_order).toMatchObject({ status: 'closed', charge: null });
  await expectNoMoreMoney();
});

test.each([
  ['paid a moment ago', 'paid', () => passAtService(world, HOUR)],
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
])('%s, and not seen by the plan: it is told as renewed, and is the last', async (_, status, happens) => {
  const id = await subscribe(world, key);
  await happens(id);
  const { body } = await cancel(world, id);
  expect(body).toMatchObject({ status: 'cancelled', cycle: 1, current_order: { status } });
  expect(await eventsOf(world, id)).toEqual(['renewed 1.0', 'ended 1.0 cancelled']);
  await expectNoMoreMoney();
});

test('the service does not take the request: 503, and nothing has changed', async () => {
  const id = await subscribe(world, key);
  const before = await getSubscription(world, id);
  await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'status', status: 429 });
  const { status, body } = await cancel(world, id);
  expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
  expect(await getSubscription(world, id)).toEqual(before);
  await pass(world, HOUR);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

test('the answer of the revocation is lost: 503, the plan goes on with another schedule, and can be cancelled', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 5 * DAY) });
  await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'lost_response' });
  expect((await cancel(world, id)).status).toBe(503);
  expect((await getSubscription(world, id)).status).toBe('active');
  await pass(world, 60);
  expect(await chargesOf(world, `${id}-1`)).toMatchObject([{ status: 'revoked' }, { status: 'scheduled' }]);
  expect(await scheduledWith(world, key)).toEqual([`${id}-1`]);
  expect((await cancel(world, id)).status).toBe(200);
  await expectNoMoreMoney();
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

test('after a payment: that stays paid, and a process that was at work on the plan schedules and writes nothing', async () => {
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  await world.api('POST', '/api/schedules/revoke', { customer_uid: key.customerUid });
  const other = openContext(world);
  try {
    const claimedUntil = new Date(world.clock.nowMs() + 300_000);
    const [claimed] = await claimSubscriptions(other, { claimedUntil, limit: 1, subscriptionId: id });
    if (!claimed) throw new Error('not claimed');
    const cancelled = await cancel(world, id);
    expect(cancelled.status).toBe(200);
    const calls = await world.sandbox.requestsDuring(SCHEDULE, () => advanceSubscription(other, claimed));
    expect(calls).toBe(0);
    expect(await getSubscription(world, id)).toEqual(cancelled.body);
  } finally {
    await closeContext(other);
  }
  expect(await orderStatus(world, `${id}-2`)).toBe('closed');
  expect(await eventsOf(world, id)).toEqual(['renewed 1.0', 'ended 2.0 cancelled']);
  await expectNoMoreMoney();
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});
