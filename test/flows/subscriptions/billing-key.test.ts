// What becomes of a plan when its billing key does not stay as it is: another card takes its place, it is removed, or it
// cannot pay for the moment.

import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { keyOf, type StoredKey } from '../../support/member-cards';
import { getOrder } from '../../support/orders';
import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  paymentsWith,
  putCard,
  SCHEDULE,
  subscribe,
  UNSCHEDULE,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
let key: StoredKey;
beforeEach(async () => {
  member = createMemberBrowser(world);
  const { customerUid } = await member.register();
  key = { customerUid, memberId: String((await keyOf(world, customerUid))?.['member_id']) };
});

const removeCard = async () => expect((await member.remove(await member.openRemoval())).status).toBe(303);

test('a card that takes its place pays from the next payment on; what is scheduled stays as it is', async () => {
  const id = await subscribe(world, key, { interval: 'week' });
  await pass(world, HOUR);
  const number = async (cycle: number) => (await getOrder(world, `${id}-${cycle}`)).payments[0].card_number;
  const before = await number(1);
  for (const endpoint of [SCHEDULE, UNSCHEDULE]) {
    const calls = await world.sandbox.requestsDuring(endpoint, () =>
      member.replace(key.customerUid, { card_number: '4242-4242-4242-4242' }),
    );
    expect(calls).toBe(0);
  }
  await pass(world, 7 * DAY);
  expect(await paymentsWith(world, key)).toEqual([`${id}-1 paid`, `${id}-2 paid`]);
  expect(await number(2)).toMatch(/^4242/);
  expect(before).not.toMatch(/^4242/);
});

describe('a billing key that was removed', () => {
  test('ends the plan when its next payment is due, and not before', async () => {
    const id = await subscribe(world, key);
    await removeCard();
    await pass(world, HOUR / 2);
    expect(await getSubscription(world, id)).toMatchObject({ status: 'active', needs_person: null });
    const charged = await world.sandbox.requestsDuring(CHARGE_KEY, () => pass(world, HOUR / 2));
    expect(charged).toBe(0);
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'ended',
      end_reason: 'billing_key_not_active',
      current_order: { status: 'open', charge: 'revoked' },
    });
    expect(await eventsOf(world, id)).toEqual([
      'payment_failed 1.0 billing_key_not_active',
      'ended 1.0 billing_key_not_active',
    ]);
  });

  test('ends it at the next retry where a payment had failed before', async () => {
    await putCard(world, key, CARD_THAT_FAILS);
    const id = await subscribe(world, key);
    await pass(world, HOUR);
    await removeCard();
    await pass(world, DAY);
    expect((await eventsOf(world, id)).slice(1)).toEqual([
      'payment_failed 1.1 billing_key_not_active',
      'ended 1.1 billing_key_not_active',
    ]);
  });
});

test('a key that cannot pay for the moment is tried again like a declined card', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
  const setKey = (status: string) =>
    world.rows.query('update billing_keys set status = $2::billing_key_status where customer_uid = $1', [
      key.customerUid,
      status,
    ]);
  await setKey('needs_review');
  await pass(world, 30);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 1 });
  await setKey('active');
  await pass(world, DAY);
  expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 billing_key_not_active', 'renewed 1.1']);
});

test('a key that has gone to another member is not charged', async () => {
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 30) });
  await world.rows.query(`update billing_keys set member_id = 'other' where customer_uid = $1`, [
    key.customerUid,
  ]);
  await pass(world, 30);
  expect(await eventsOf(world, id)).toEqual(['payment_failed 1.0 billing_key_not_active']);
  expect(await paymentsWith(world, key)).toEqual([]);
});
