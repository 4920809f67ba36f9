// An erasure cancels the subscriptions of the member before anything else is erased.

import { erase, found, MINUTE, newMember, rowsOf, type Member } from '../../../support/erasure';
import { orderStatus } from '../../../support/orders';
import { DISK_FULL, refuseRows } from '../../../support/refused-rows';
import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  scheduledWith,
  subscribe,
} from '../../../support/subscriptions';
import { useWorld } from '../../../support/use-world';

const world = useWorld();
beforeEach(() => world.sandbox.clearFaults());

test('M26 an erasure cancels the subscriptions of the member, and no other', async () => {
  const other = await newMember(world);
  await subscribe(world, other, { first_payment_at: inSeconds(world, 300 * DAY) });
  const member = await newMember(world);
  const id = await subscribe(world, member, { first_payment_at: inSeconds(world, HOUR) });
  await pass(world, 0);
  const others = await rowsOf(world, other);
  expect((await erase(world, member.memberId)).status).toBe(200);
  expect(await getSubscription(world, id)).toMatchObject({ status: 'cancelled', member_id: null });
  expect(await eventsOf(world, id)).toEqual(['ended 1.0 cancelled']);
  expect(await orderStatus(world, `${id}-1`)).toBe('closed');
  expect(await scheduledWith(world, member)).toEqual([]);
  expect(await found(world, member)).toEqual([]);
  expect(await rowsOf(world, other)).toEqual(others);
});

test('an erasure waits for a subscription that cannot be cancelled now', async () => {
  const member = await newMember(world);
  const id = await subscribe(world, member, { first_payment_at: inSeconds(world, 5 * DAY) });
  const endpoint = 'POST /subscribe/payments/unschedule';
  await world.sandbox.fault({ endpoint, kind: 'status', status: 429, times: 2 });
  expect((await erase(world, member.memberId)).body.waiting).toEqual([
    { kind: 'subscription', id, reason: 'service_unavailable' },
    { kind: 'card', id: member.customerUid, reason: expect.stringMatching(/^removal_/) },
    { kind: 'order', id: `${id}-1`, reason: 'order_scheduled' },
  ]);
  expect((await getSubscription(world, id)).status).toBe('active');
  await pass(world, 2 * MINUTE);
  await pass(world, 2 * MINUTE);
  expect((await getSubscription(world, id)).status).toBe('cancelled');
  expect(await found(world, member)).toEqual([]);
});

test('M26 an erasure whose process dies before or after the cancellation is finished by the next one', async () => {
  /** The statement that fails, as if the process were killed before it. */
  const steps = [
    ['subscriptions', `new.status = 'cancelled'`],
    ['billing_keys', `new.status = 'removed'`],
  ] as const;
  const begun: { table: string; member: Member; id: string }[] = [];
  for (const [table, condition] of steps) {
    const member = await newMember(world);
    const id = await subscribe(world, member, { first_payment_at: inSeconds(world, 5 * DAY) });
    const allow = await refuseRows(world, table, condition, DISK_FULL);
    try {
      expect([table, (await erase(world, member.memberId)).status]).toEqual([table, 503]);
    } finally {
      await allow();
    }
    await world.forgetJobs();
    begun.push({ table, member, id });
  }
  await pass(world, 2 * MINUTE);
  await pass(world, 2 * MINUTE);
  for (const { table, member, id } of begun) {
    expect([table, await found(world, member)]).toEqual([table, []]);
    expect((await getSubscription(world, id)).status).toBe('cancelled');
  }
});
