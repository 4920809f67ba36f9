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

export type Paid = Awaited<ReturnType<typeof payOrder>>;

export async function payOrder(world: World) {
  const merchantUid = newUid();
  await registerOrders(world, [merchantUid]);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  return {
    svcUid,
    merchantUid,
    notify: (status?: string) => sendNotification(world, svcUid, merchantUid, status),
    order: () => getOrder(world, merchantUid),
    notifications: () => notificationsOf(world, merchantUid),
  };
}

export const payOrders = (world: World, count: number) =>
  Promise.all(Array.from({ length: count }, () => payOrder(world)));
