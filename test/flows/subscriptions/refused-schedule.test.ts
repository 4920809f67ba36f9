// The service refuses the schedule of a payment: the shop is told once, the plan needs a person from a day before the date on, and
// the payment is made at its time.

import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  SCHEDULE,
  subscribe,
  useKey,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

const MESSAGE = '예약할 수 없는 카드입니다.';
const refused = { charge: 'refused', charge_reason: MESSAGE };
const NO_CASE = { needs_person: null, needs_person_since: null };

async function answerSchedules(fault: { status: number; body?: object }): Promise<void> {
  await world.sandbox.clearFaults();
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'status', times: 100, ...fault });
}
const refuse = () => answerSchedules({ status: 200, body: { code: 1, message: MESSAGE, response: null } });

test('it is shown with the words of the service and told once, and needs a person until the payment is made', async () => {
  await refuse();
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, 27 * HOUR) });
  await pass(world, 3 * HOUR - 600);
  expect(await getSubscription(world, id)).toMatchObject({ current_order: refused, ...NO_CASE });
  // Earlier than the next try would be: it is a day before the date.
  await pass(world, 600);
  const { needs_person_since: since, ...plan } = await getSubscription(world, id);
  expect(plan).toMatchObject({ current_order: refused, needs_person: 'schedule_refused' });
  expect(Date.parse(since)).toBeGreaterThan(world.clock.nowMs() - 600_000);
  await pass(world, 6 * HOUR);
  expect(await getSubscription(world, id)).toMatchObject({ needs_person_since: since });
  await pass(world, 18 * HOUR);
  expect(await getSubscription(world, id)).toMatchObject({ cycle: 2, ...NO_CASE });
  expect(await eventsOf(world, id)).toEqual([
    'schedule_refused 1.0 refused',
    'renewed 1.0',
    'schedule_refused 2.0 refused',
  ]);
});

test('an outage of the service does not end the case, and the refusal after it is not told again', async () => {
  await refuse();
  const id = await subscribe(world, key, { first_payment_at: inSeconds(world, DAY) });
  const { needs_person: reason, needs_person_since: since } = await getSubscription(world, id);
  expect(reason).toBe('schedule_refused');
  await answerSchedules({ status: 429 });
  await pass(world, 6 * HOUR);
  await pass(world, 6 * 60);
  const during = { current_order: { charge: 'not_executed' }, needs_person_since: since };
  expect(await getSubscription(world, id)).toMatchObject(during);
  await refuse();
  await pass(world, 6 * 60);
  expect(await getSubscription(world, id)).toMatchObject({
    current_order: refused,
    needs_person_since: since,
  });
  expect(await eventsOf(world, id)).toEqual(['schedule_refused 1.0 refused']);
  await world.sandbox.clearFaults();
  await pass(world, 6 * HOUR);
  const accepted = { current_order: { charge: 'scheduled' }, ...NO_CASE };
  expect(await getSubscription(world, id)).toMatchObject(accepted);
});
