// Everything that can pay for an order does so at the same moment.

import { CARD } from '../../support/cards';
import { registerKey } from '../../support/keys';
import {
  charge,
  getOrder,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { HOUR } from '../../support/subscriptions';
import { useFreshWorld } from '../../support/use-world';

const ROUNDS = 50;

const world = useFreshWorld();

test('O4 a charge, the window, a schedule and a typed-in card for one order at the same moment: we take the money once, and the rest can be refunded', async () => {
  const { customerUid } = await registerKey(world);
  const orders = await Promise.all(Array.from({ length: ROUNDS }, () => registerOrder(world)));
  const schedule_at = Math.floor(world.clock.nowMs() / 1000) + HOUR;
  await Promise.all(
    orders.map(async (merchantUid) => {
      const order = { merchant_uid: merchantUid, name: 'Tea', amount: 1000 };
      await Promise.all([
        charge(world, merchantUid, customerUid),
        paySilently(world, merchantUid).then(({ svc_uid }) => sendNotification(world, svc_uid, merchantUid)),
        world.api('POST', '/api/schedules', { customer_uid: customerUid, ...order, schedule_at }),
        world.api('POST', '/api/onetime', { ...order, ...CARD }),
      ]);
    }),
  );
  await world.runEveryMinute();
  await world.advance(HOUR);
  await world.sandbox.waitForNotifications();
  await world.runEveryMinute(60);

  const told = (await world.api('GET', '/api/events?limit=1000')).body.list as ToldEvent[];
  const refund = async (id: string) => {
    const { status } = await world.api('POST', `/api/discrepancies/${id}/refund`, { reason: 'paid twice' });
    expect(status).toBe(200);
  };
  await Promise.all(
    orders.map(async (merchantUid) => {
      const { status, payments } = await getOrder(world, merchantUid);
      expect(status).toBe('paid');
      const paid = (payments as Payment[]).filter((payment) => payment.status === 'paid');
      // The window sends no id of a charge.
      expect(paid.filter(({ record }) => record.custom_data !== null).length).toBeLessThanOrEqual(1);
      const cases = (await world.api('GET', `/api/discrepancies?merchant_uid=${merchantUid}`)).body
        .list as Case[];
      expect(cases.map(({ kind }) => kind)).toEqual(paid.slice(1).map(() => 'duplicate_payment'));
      const isPaid = ({ type, data }: ToldEvent) =>
        type === 'order.paid' && data.merchant_uid === merchantUid;
      expect(told.filter(isPaid)).toHaveLength(1);
      await Promise.all(cases.map(({ id }) => refund(id)));
      expect(await orderStatus(world, merchantUid)).toBe('paid');
    }),
  );
});

type ToldEvent = { type: string; data: { merchant_uid: string } };
type Payment = { status: string; record: { custom_data: string | null } };
type Case = { id: string; kind: string };
