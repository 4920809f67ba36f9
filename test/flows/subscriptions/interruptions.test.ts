// A process dies, or two work at once: no cycle is scheduled twice or paid twice, and the plan goes on.

import { chargeOrder } from '../../../src/merchant/charges/charge-order';
import { closeContext } from '../../../src/merchant/context';
import { advanceSubscriptions } from '../../../src/merchant/subscriptions/advance-subscriptions';
import {
  claimSubscriptions,
  insertSubscription,
  releaseSubscription,
  wakeSubscription,
} from '../../../src/merchant/subscriptions/subscription-store';
import { openContext } from '../../support/beside-world';
import { registerKey } from '../../support/card-form';
import { CARD_THAT_FAILS } from '../../support/cards';
import { registerOrder } from '../../support/orders';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  paymentsWith,
  putCard,
  scheduledWith,
  subscribe,
  useKey,
} from '../../support/subscriptions';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);
const other = useContext(world);

const never = new AbortController().signal;
const inFiveMinutes = () => new Date(world.clock.nowMs() + 5 * 60_000);
const claim = (subscriptionId: string) =>
  claimSubscriptions(other, { claimedUntil: inFiveMinutes(), limit: 1, subscriptionId });

test('killed after the row was written: the job schedules the first payment', async () => {
  const plan = { name: 'Tea', amount: 1000, currency: 'KRW', interval: 'month' } as const;
  const firstPaymentAt = new Date(inSeconds(world, HOUR));
  await insertSubscription(other, { subscriptionId: 'killed-1', ...key, ...plan, firstPaymentAt });
  await pass(world, 0);
  expect(await scheduledWith(world, key)).toEqual(['killed-1-1']);
});

test('killed while it worked on one: nobody touches it until the claim has run out, then another goes on', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 60) });
  expect(await claim(id)).toHaveLength(1);
  expect(await claim(id)).toEqual([]);
  await pass(world, 60);
  expect(await paymentsWith(world, key)).toEqual([]);
  await pass(world, 60);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

test('killed between a declined charge and the note of it: that was the attempt, and no other is made', async () => {
  await putCard(world, key, CARD_THAT_FAILS);
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  world.clock.advance(DAY - 60);
  await claim(id);
  const outcome = await chargeOrder(other, { merchantUid: `${id}-1`, customerUid: key.customerUid });
  expect(outcome.kind).toBe('declined');
  await world.forgetJobs();
  await pass(world, 10 * 60);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 2 });
  expect(await paymentsWith(world, key)).toHaveLength(2);
});

test('killed between a charge that was paid and the note of it: the cycle is paid, once', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 60) });
  world.clock.advance(60);
  // It has claimed it, and its process dies after the order was registered and charged.
  await claim(id);
  await registerOrder(world, `${id}-1`, { name: 'Tea of the month', member_id: key.memberId });
  await chargeOrder(other, { merchantUid: `${id}-1`, customerUid: key.customerUid });
  await world.forgetJobs();
  await pass(world, 10 * 60);
  expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`]);
});

test('two processes at the same moment: each retry is one charge, each renewal one schedule and one event', async () => {
  const failing = await registerKey(world);
  await putCard(world, failing, CARD_THAT_FAILS);
  const soon = { first_payment_at: inSeconds(world, 60) };
  const good = await Promise.all(Array.from({ length: 12 }, () => subscribe(world, key, soon)));
  const bad = await Promise.all(Array.from({ length: 12 }, () => subscribe(world, failing, soon)));
  world.clock.advance(60);
  const third = openContext(world);
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, () =>
    Promise.all([other, third, other, third].map((context) => advanceSubscriptions(context, never))),
  );
  await closeContext(third);
  expect(calls).toBe(24);
  for (const id of good) expect(await eventsOf(world, id)).toEqual(['renewed 1.0']);
  for (const id of bad) expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 declined']);
  expect((await scheduledWith(world, key)).sort()).toEqual(good.map((id) => `${id}-2`).sort());
});

test('an event that comes while a process works on it is not lost: it is due again at once', async () => {
  const id = await subscribe(world, key);
  const claimIfDue = async () =>
    (await claimSubscriptions(other, { claimedUntil: inFiveMinutes(), limit: 100 })).find(
      ({ subscriptionId }) => subscriptionId === id,
    );
  const [claimed] = await claim(id);
  if (!claimed) throw new Error('not claimed');
  await wakeSubscription(other, { subscriptionId: id, cycle: 1 });
  expect(await claimIfDue()).toBeUndefined();
  await releaseSubscription(other, claimed, inFiveMinutes());
  const again = await claimIfDue();
  if (!again) throw new Error('not due');
  await releaseSubscription(other, again, inFiveMinutes());
  expect(await claimIfDue()).toBeUndefined();
});

test('one that cannot be worked on does not hold up the others', async () => {
  const soon = { first_payment_at: inSeconds(world, 60) };
  const broken = await subscribe(world, key, soon);
  const fine = await subscribe(world, key, soon);
  await world.rows.query(
    `alter table orders add constraint nobody check (merchant_uid <> '${broken}-1') not valid`,
  );
  world.clock.advance(60);
  await advanceSubscriptions(other, never);
  expect(await paymentsWith(world, key)).toEqual([`${fine}-1 paid`]);
  expect(await getSubscription(world, fine)).toMatchObject({ cycle: 2 });
  await world.rows.query('alter table orders drop constraint nobody');
  await pass(world, 10 * 60);
  expect((await paymentsWith(world, key)).sort()).toEqual([`${broken}-1 paid`, `${fine}-1 paid`].sort());
});
