// A schedule of a finished order that the service does not revoke is an item of the action queue, until it is revoked.

import { signedIn } from '../../support/browsers';
import { DAY, HOUR, UNSCHEDULE } from '../../support/subscriptions';
import { useScheduledOrders } from '../schedules/finished-order-setup';

const { world, scheduled, pay, fails } = useScheduledOrders();

test('O3 a revocation that fails is in the action queue before the date of the schedule, until it is done', async () => {
  const kim = await signedIn(world, { by: 'kim' });
  const desk = async () => (await kim.get('/operator/desk')).html;
  await fails(UNSCHEDULE);
  const merchantUid = await scheduled(DAY);
  await pay(merchantUid);
  await world.advance(0);
  expect(await desk()).toContain(merchantUid);
  await world.sandbox.clearFaults();
  await world.runEveryMinute(HOUR);
  expect(await desk()).not.toContain(merchantUid);
});
