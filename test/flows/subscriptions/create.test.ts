// A subscription is created: its first payment is scheduled, or made where it is due now; and what is refused has no effect.
// What a body may be is in test/merchant/subscriptions.

import { expectNoEffect } from '../../support/no-effect';
import { getOrder, registerOrder } from '../../support/orders';
import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  paymentsWith,
  SCHEDULE,
  scheduledWith,
  subscribe,
  subscriptionOf,
  useKey,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

const create = (wanted: object) => world.api('POST', '/api/subscriptions', wanted);

/** What is refused with this code, and has no effect. */
async function expectRefused(wanted: object, status: number, code: string): Promise<void> {
  const answer = await expectNoEffect(world, () => create(wanted));
  expect([wanted, answer.status, answer.body.error.code]).toEqual([wanted, status, code]);
}

test('the first payment is scheduled when it is created, over an order that names its member', async () => {
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

test('the same once more changes nothing, also when its date is past and its key is gone', async () => {
  const wanted = subscriptionOf(world, key);
  const first = await create(wanted);
  const again = await expectNoEffect(world, () => create(wanted));
  expect(again).toEqual({ status: 200, body: first.body });
  // The same moment in other words.
  const words = { ...wanted, first_payment_at: wanted.first_payment_at.replace('.000Z', '+00:00') };
  expect((await create(words)).status).toBe(200);
  await pass(world, 2 * HOUR);
  await world.rows.query(`update billing_keys set status = 'removed' where customer_uid = $1`, [
    key.customerUid,
  ]);
  expect((await create(wanted)).status).toBe(200);
});

test('requests at the same time are one subscription with one schedule', async () => {
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

test('an order of somebody else under the name of the first one is a conflict: it would count for the cycle', async () => {
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
