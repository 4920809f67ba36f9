// A year of a subscription by the month, from the 31st of January on, with a renewal that fails until another card is given.

import { CARD_THAT_FAILS } from '../../support/cards';
import { createMemberBrowser } from '../../support/member-browser';
import { keyOf } from '../../support/member-cards';
import {
  eventsOf,
  getSubscription,
  passTo,
  paymentsWith,
  putCard,
  scheduledWith,
  subscribe,
} from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();

/** From January 2027 on. */
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31];
const DATES = LAST_DAYS.map((day, month) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10));
const at = (day: string) => `${day}T10:00:00+09:00`;

test('thirteen payments on the last days of their months, of which one comes late, and each once', async () => {
  await passTo(world, '2027-01-31T09:00:00+09:00');
  const member = createMemberBrowser(world);
  const { customerUid } = await member.register();
  const key = { customerUid, memberId: String((await keyOf(world, customerUid))?.['member_id']) };
  const id = await subscribe(world, key, { first_payment_at: at('2027-01-31') });
  for (const [index, day] of DATES.entries()) {
    const cycle = index + 1;
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'active',
      cycle,
      attempt: 0,
      next_payment_at: new Date(at(day)).toISOString(),
    });
    expect(await scheduledWith(world, key)).toEqual([`${id}-${cycle}`]);
    if (day === '2027-06-30') await putCard(world, key, CARD_THAT_FAILS);
    await passTo(world, at(day));
    if (day !== '2027-06-30') continue;
    for (const retry of ['2027-07-01', '2027-07-03']) await passTo(world, at(retry));
    expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 3 });
    expect((await member.replace(customerUid)).status).toBe(303);
    await passTo(world, at('2027-07-07'));
  }

  const paid = DATES.map((_, index) => `${id}-${index + 1} paid`);
  const failed = [1, 2, 3].map(() => `${id}-6 failed`);
  expect(await paymentsWith(world, key)).toEqual([...paid.slice(0, 5), ...failed, ...paid.slice(5)]);
  const renewed = (cycle: number) => `renewed ${cycle}.0`;
  expect(await eventsOf(world, id)).toEqual([
    ...[1, 2, 3, 4, 5].map(renewed),
    ...[0, 1, 2].map((attempt) => `payment_failed 6.${attempt} declined`),
    'renewed 6.3',
    ...[7, 8, 9, 10, 11, 12, 13].map(renewed),
  ]);
  expect(await world.rows.query('select * from discrepancies')).toEqual([]);

  // The shop is told of each change after the change of the order that it follows from.
  const june = await world.rows.query<{ type: string }>(
    `select e.type from events e join event_deliveries d on d.event_id = e.id
     where d.delivered_at is not null and (e.stream = $1 or e.data->>'cycle' = '6') order by e.position`,
    [`${id}-6`],
  );
  expect(june.map(({ type }) => type)).toEqual([
    'order.failed',
    // A further failure changes no status of the order.
    ...[0, 1, 2].map(() => 'subscription.payment_failed'),
    'order.paid',
    'subscription.renewed',
  ]);
});
