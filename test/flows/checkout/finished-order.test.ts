// An order with a waiting schedule is paid in the window: its schedule is revoked at once, as after a notification.

import { createMemberBrowser } from '../../support/browsers';
import { paySilently } from '../../support/orders';
import { useScheduledOrders } from '../schedules/finished-order-setup';

const { world, expectRevokedOncePaid } = useScheduledOrders();

test('O1 has its schedule revoked at once: paid by the return page', () =>
  expectRevokedOncePaid(async (merchantUid) => {
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    await createMemberBrowser(world).get(`/orders/${merchantUid}/return?abc_uid=${svcUid}`);
  }));

test('O1 has its schedule revoked at once: paid by the route sync', () =>
  expectRevokedOncePaid(async (merchantUid) => {
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    await world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid });
  }));
