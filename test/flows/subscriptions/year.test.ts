// A year of a subscription by the month, from the 31st of January on, with two renewals that fail.

import { CARD_THAT_FAILS } from '../../support/cards';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { keyOf, type StoredKey } from '../../support/member-cards';
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
let member: MemberBrowser;
let key: StoredKey;
beforeAll(async () => {
  await passTo(world, '2027-01-31T09:00:00+09:00');
  member = createMemberBrowser(world);
  const { customerUid } = await member.register();
  key = { customerUid, memberId: String((await keyOf(world, customerUid))?.['member_id']) };
});

/** From January 2027 on. */
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31];
const DATES = LAST_DAYS.map((day, month) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10));
const at = (day: string) => `${day}T10:00:00+09:00`;

test('thirteen payments on the last days of their months, of which two come late, and each once', async () => {
  const id = await subscribe(world, key, { first_payment_at: at('2027-01-31') });
  for (const [index, day] of DATES.entries()) {
    const cycle = index + 1;
    expect(await getSubscription(world, id)).toMatchObject({
      status: 'active',
      cycle,
      attempt: 0,
      next_payment_at: new Date(at(day)).toISOString(),
      current_order: { merchant_uid: `${id}-${cycle}`, status: 'open', charge: 'scheduled' },
      needs_person: null,
    });
    expect(await scheduledWith(world, key)).toEqual([`${id}-${cycle}`]);
    if (day === '2027-02-28') await recoverByRetry(id, day);
    else if (day === '2027-06-30') await recoverByReplacement(id, day);
    else await passTo(world, at(day));
  }

  const paid = DATES.map((_, index) => `${id}-${index + 1} paid`);
  const failed = (cycle: number) => `${id}-${cycle} failed`;
  const february = [paid[0], failed(2), failed(2)];
  const toJune = [...paid.slice(1, 5), failed(6), failed(6), failed(6)];
  expect(await paymentsWith(world, key)).toEqual([...february, ...toJune, ...paid.slice(5)]);
  const renewed = (cycle: number) => `renewed ${cycle}.0`;
  const failedEvents = (cycle: number, attempts: number[]) =>
    attempts.map((attempt) => `payment_failed ${cycle}.${attempt} declined`);
  expect(await eventsOf(world, id)).toEqual([
    renewed(1),
    ...failedEvents(2, [0, 1]),
    'renewed 2.2',
    ...[3, 4, 5].map(renewed),
    ...failedEvents(6, [0, 1, 2]),
    'renewed 6.3',
    ...[7, 8, 9, 10, 11, 12, 13].map(renewed),
  ]);
  const orders = await world.rows.query<{ status: string }>(
    `select status from orders where merchant_uid like $1 and status <> 'open'`,
    [`${id}-%`],
  );
  expect(orders.map(({ status }) => status)).toEqual(DATES.map(() => 'paid'));
  expect(await world.rows.query('select * from discrepancies')).toEqual([]);

  // The shop is told of each change after the change of the order that it follows from.
  const told = await world.rows.query<{ type: string }>(
    `select e.type from events e join event_deliveries d on d.event_id = e.id
     where d.delivered_at is not null and e.stream ~ '^(sub-\\d+-2$|subscription:)' order by e.position limit 7`,
  );
  expect(told.map(({ type }) => type)).toEqual([
    'subscription.renewed',
    'order.failed',
    'subscription.payment_failed',
    // The second failure changes no status of the order.
    'subscription.payment_failed',
    'order.paid',
    'subscription.renewed',
    'subscription.renewed',
  ]);
});

/** The card is declined on the day and a day later, and works on the third. */
async function recoverByRetry(id: string, day: string): Promise<void> {
  await putCard(world, key, CARD_THAT_FAILS);
  await passTo(world, at(day));
  expect(await getSubscription(world, id)).toMatchObject({
    status: 'past_due',
    cycle: 2,
    attempt: 1,
    next_payment_at: new Date(at('2027-03-01')).toISOString(),
    current_order: { status: 'failed', charge: 'failed' },
  });
  expect(await scheduledWith(world, key)).toEqual([]);
  await passTo(world, at('2027-03-01'));
  await putCard(world, key);
  await passTo(world, at('2027-03-03'));
}

/** The member puts another card in the place of one that fails; the last retry takes it. */
async function recoverByReplacement(id: string, day: string): Promise<void> {
  await putCard(world, key, CARD_THAT_FAILS);
  for (const failing of [day, '2027-07-01', '2027-07-03']) await passTo(world, at(failing));
  expect(await getSubscription(world, id)).toMatchObject({ status: 'past_due', attempt: 3 });
  expect((await member.replace(key.customerUid)).status).toBe(303);
  await passTo(world, at('2027-07-07'));
}
