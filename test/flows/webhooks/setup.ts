// Set-up of the webhook tests: orders that are paid at the service, which has sent no notification yet.

import {
  getOrder,
  newUid,
  notificationsOf,
  paySilently,
  registerOrders,
  sendNotification,
  storedOutcomes,
} from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import type { World } from '../../support/world';

export const RECORDED = { status: 200, outcome: 'recorded' };
export const QUEUED = { status: 200, outcome: 'queued' };

export type Paid = Awaited<ReturnType<typeof pay>>;

export const payOrder = async (world: World): Promise<Paid> => (await payOrders(world, 1))[0] as Paid;

export async function payOrders(world: World, count: number) {
  const merchantUids = Array.from({ length: count }, newUid);
  await registerOrders(world, merchantUids);
  return Promise.all(merchantUids.map((merchantUid) => pay(world, merchantUid)));
}

async function pay(world: World, merchantUid: string) {
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  return {
    svcUid,
    merchantUid,
    notify: (status?: string) => sendNotification(world, svcUid, merchantUid, status),
    order: () => getOrder(world, merchantUid),
    notifications: () => notificationsOf(world, merchantUid),
  };
}

/** The fetch of a notification's payment fails once with this fault. The notification is answered `queued`, and recorded later. */
export async function expectQueuedThenRecorded(world: World, fault: object, reason: string): Promise<void> {
  const paid = await payOrder(world);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, times: 1, ...fault });
  const before = await world.rows.money();
  expect(await paid.notify()).toEqual(QUEUED);
  await world.rows.waitFor('select 1 from notifications where judged_at is not null');
  expect(await storedOutcomes(world)).toEqual({ [`queued:${reason}`]: 1 });
  expect(await world.rows.money()).toBe(before);
  await world.advance(7);
  expect(await world.rows.query('select distinct status, version from orders')).toEqual([
    { status: 'paid', version: 1 },
  ]);
}
