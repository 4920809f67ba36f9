// Set-up of the webhook tests: orders that are paid at the service, which has sent no notification yet.

import {
  getOrder,
  newUid,
  notificationsOf,
  paySilently,
  registerOrders,
  sendNotification,
} from '../../support/orders';
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
