// The database is restored from a backup while plans continue at the service: test/flows/events/restore.test.ts has the rest.

import { getOrder } from '../../support/orders';
import {
  eventsOf,
  HOUR,
  pass,
  paymentsWith,
  scheduledWith,
  subscribe,
  subscriptionOf,
  useKey,
} from '../../support/subscriptions';
import { useFreshWorld } from '../../support/use-world';
import { useBackup } from '../events/backups';

const world = useFreshWorld();
const key = useKey(world);
const backup = useBackup(world);

test('no cycle that was paid since the backup is charged again, and the shop gets an event for each', async () => {
  const plan = await subscribe(world, key, { interval: 'day' });
  await backup.take();
  const lost = subscriptionOf(world, key, { interval: 'day' });
  const create = () => world.api('POST', '/api/subscriptions', lost);
  expect((await create()).status).toBe(201);
  const lostPlan = lost.subscription_id;
  // The first cycles are paid, and the second ones are scheduled.
  await pass(world, HOUR);
  expect((await scheduledWith(world, key)).sort()).toEqual([`${plan}-2`, `${lostPlan}-2`].sort());

  await backup.restore();
  expect((await create()).status).toBe(201);
  await pass(world, 0);
  expect(await getOrder(world, `${plan}-1`)).toMatchObject({ status: 'paid' });
  expect(await eventsOf(world, plan)).toContain('renewed 1.0');
  await pass(world, 24 * HOUR);
  const cycles = [`${plan}-1`, `${plan}-2`, `${lostPlan}-1`, `${lostPlan}-2`];
  expect((await paymentsWith(world, key)).sort()).toEqual(cycles.map((order) => `${order} paid`).sort());
});
