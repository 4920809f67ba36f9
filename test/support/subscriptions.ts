// Subscriptions: creation, the time until their payments, and their state at the service, in the rows and in the events.

import { FEATURES } from '../../src/merchant/features';
import { callService } from './calls';
import { CARD } from './cards';
import { registerKey, type StoredKey } from './keys';
import type { World } from './world';

export const SCHEDULE = 'POST /subscribe/payments/schedule';
export const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
/** For a test of another option: subscriptions may be removed. */
export const withPlans = FEATURES.some(({ name }) => name === 'subscriptions') ? test : test.skip;

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** A key of a new member for each test, at a service without faults. */
export function useKey(world: World): StoredKey {
  const key = { customerUid: '', memberId: '' };
  beforeEach(async () => {
    await world.sandbox.clearFaults();
    // The plans of earlier tests would renew with each jump of the clock.
    await world.rows.query('delete from subscriptions');
    Object.assign(key, await registerKey(world));
  });
  return key;
}

/** One key for all tests of a file, where each has its own orders; at a service without faults. */
export function useOneKey(world: World): StoredKey {
  const key = { customerUid: '', memberId: '' };
  beforeAll(async () => void Object.assign(key, await registerKey(world)));
  beforeEach(() => world.sandbox.clearFaults());
  return key;
}

let sequence = 0;

/** A request whose first payment is due in an hour, with these changes. */
export function subscriptionOf(world: World, key: StoredKey, changes: Record<string, unknown> = {}) {
  return {
    subscription_id: `sub-${(sequence += 1)}`,
    customer_uid: key.customerUid,
    member_id: key.memberId,
    name: 'Tea of the month',
    amount: 1000,
    interval: 'month',
    first_payment_at: inSeconds(world, HOUR),
    ...changes,
  };
}

/** Creates a subscription and returns its id. */
export async function subscribe(
  world: World,
  key: StoredKey,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const wanted = subscriptionOf(world, key, changes);
  expect((await world.api('POST', '/api/subscriptions', wanted)).status).toBe(201);
  return wanted.subscription_id;
}

export const getSubscription = async (world: World, id: string) =>
  (await world.api('GET', `/api/subscriptions/${id}`)).body;

export const cancel = (world: World, id: string) => world.api('POST', `/api/subscriptions/${id}/cancel`);

/** ISO 8601, in whole seconds. */
export const inSeconds = (world: World, seconds: number): string =>
  new Date(Math.floor(world.clock.nowMs() / 1000 + seconds) * 1000).toISOString();

/** Lets time pass and completes its effects: notifications, events, and the jobs of the next minutes. */
export async function pass(world: World, seconds: number): Promise<void> {
  await passAtService(world, seconds);
  await world.runEveryMinute(180);
}

/** Lets time pass at the service only. No job of the merchant runs. */
export async function passAtService(world: World, seconds: number): Promise<void> {
  world.clock.advance(seconds);
  await world.sandbox.advance(0);
  await world.sandbox.waitForNotifications();
}

/** Events of the subscription itself, as `type cycle.attempt reason`. */
export async function eventsOf(world: World, id: string): Promise<string[]> {
  const { body } = await world.api('GET', `/api/events?subscription_id=${id}&limit=1000`);
  return body.list.map(({ type, data }: ToldEvent) =>
    [type.replace('subscription.', ''), `${data.cycle}.${data.attempt}`, data.reason]
      .filter((part) => part !== null)
      .join(' '),
  );
}

type ToldEvent = { type: string; data: { cycle: number; attempt: number; reason: string | null } };

/** Payments at the service with a key, the oldest first, as `merchant_uid status`. */
export async function paymentsWith(world: World, { customerUid }: StoredKey): Promise<string[]> {
  const all: { merchant_uid: string; status: string; started_at: number }[] = [];
  for (let page = 1; page !== 0;) {
    const { list, next } = await callService(
      world,
      `/subscribe/customers/${customerUid}/payments?page=${page}`,
    );
    all.push(...list);
    page = next;
  }
  return all
    .sort((one, other) => one.started_at - other.started_at)
    .map(({ merchant_uid, status }) => `${merchant_uid} ${status}`);
}

/** The service's schedules with a key. */
export async function scheduledWith(world: World, { customerUid }: StoredKey): Promise<string[]> {
  const path = `/subscribe/payments/schedule/customers/${customerUid}`;
  const list = await callService(world, `${path}?from=0&to=9999999999&schedule-status=scheduled`);
  return list.map(({ merchant_uid }: { merchant_uid: string }) => merchant_uid);
}

/** Changes the card at the service without the merchant, as if the card company now decided differently. */
export const putCard = (world: World, { customerUid }: StoredKey, cardNumber: string = CARD.card_number) =>
  callService(world, `/subscribe/customers/${customerUid}`, { ...CARD, card_number: cardNumber });
