// Each change of an order's status or refunded amount is one event, written by the statement that makes the change. Our own refunds
// are named in the event.

import { codeOf } from '../../support/calls';
import { newUid, orderStatus, registerOrder, sendNotification } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorldWithReceiver } from '../../support/use-world';

const { world, receiver } = useWorldWithReceiver();

const pay = (merchantUid: string, changes: Record<string, unknown> = {}) =>
  world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, ...changes });
async function refund(svcUid: string, amount: number, checksum: number): Promise<void> {
  const part = { amount, checksum, reason: 'broken' };
  const { body } = await world.api('POST', `/api/payments/${svcUid}/cancel`, part);
  expect(body.outcome).toBe('cancelled');
}
async function refundIds(svcUid: string): Promise<string[]> {
  const { body } = await world.api('GET', `/api/refunds?svc_uid=${svcUid}`);
  return body.list.map(({ id }: { id: string }) => id).reverse();
}
const deliver = () => world.runEveryMinute();
/** What the URL was told of an order. */
const receivedOf = (merchantUid: string) =>
  receiver.told().filter((each) => each.startsWith(`${merchantUid}:`));

type Refund = { amount: number; total: number; refund_id: string | null };
type Told = { type: string; version: number; status: string; refunded_amount: number; refund: Refund | null };
/** What a shop that asks is told of an order. */
async function toldOf(merchantUid: string): Promise<Told[]> {
  const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
  return body.list.map(({ type, data }: { type: string; data: Omit<Told, 'type'> }) => {
    const { version, status, refunded_amount, refund } = data;
    return { type, version, status, refunded_amount, refund };
  });
}

test('a paid order is told to the handler and, signed, to the URL, once each', async () => {
  const merchantUid = await registerOrder(world, newUid(), { member_id: 'member-1' });
  const { svc_uid: svcUid } = await pay(merchantUid);
  await deliver();
  const data = {
    merchant_uid: merchantUid,
    status: 'paid',
    previous_status: 'open',
    version: 1,
    amount: 1000,
    currency: 'KRW',
    member_id: 'member-1',
    svc_uid: svcUid,
    refunded_amount: 0,
    refund: null,
    subscription_id: null,
  };
  const id = `${merchantUid}:1`;
  const body = { type: 'order.paid', timestamp: world.clock.now().toISOString(), data };
  expect(receiver.received.filter((event) => event.id === id)).toEqual([{ id, isSigned: true, body }]);
  expect(world.log.events('order_event').filter((line) => line['id'] === id)).toMatchObject([
    { type: 'order.paid' },
  ]);
  await deliver();
  expect(receivedOf(merchantUid)).toHaveLength(1);
});

test('the events can be asked for from a place on, and sent again by their id', async () => {
  const merchantUid = await registerOrder(world);
  await pay(merchantUid);
  for (let count = 0; count < 3; count += 1) await pay(await registerOrder(world));
  await deliver();
  const { body: all } = await world.api('GET', '/api/events?limit=1000');
  const [first, second, third] = all.list;
  const { body: rest } = await world.api('GET', `/api/events?limit=2&after=${first.position}`);
  expect(rest).toMatchObject({ list: [second, third], next: third.position });

  for (const id of ['nobody:1', 'nobody', 'a:99999999999'])
    expect(await codeOf(world.api('POST', `/api/events/${id}/replay`))).toEqual([404, 'event_not_found']);
  const replayed = await world.api('POST', `/api/events/${merchantUid}:1/replay`);
  const targets = ['handler', 'url'];
  const waiting = targets.map((target) => ({ target, state: 'waiting', attempts: 0 }));
  expect([replayed.status, replayed.body.deliveries]).toMatchObject([202, waiting]);
  await deliver();
  expect(receivedOf(merchantUid)).toEqual([`${merchantUid}:1 order.paid`, `${merchantUid}:1 order.paid`]);
  const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}&undelivered=false`);
  const delivered = targets.map((target) => ({ target, state: 'delivered', attempts: 1, reason: null }));
  expect(body).toMatchObject({ list: [{ id: `${merchantUid}:1`, deliveries: delivered }], next: null });
});

test('each partial refund is one event with its amount and the total', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await refund(svcUid, 300, 1000);
  await refund(svcUid, 200, 700);
  await world.sandbox.control(svcUid, 'cancel', { amount: 100 });
  await refund(svcUid, 400, 400);
  const [first, second, last] = await refundIds(svcUid);
  const part = (version: number, amount: number, total: number, refundId: string | null | undefined) => ({
    type: 'order.partially_cancelled',
    version,
    status: 'partially_cancelled',
    refunded_amount: total,
    refund: { amount, total, refund_id: refundId },
  });
  expect(await toldOf(merchantUid)).toEqual([
    { type: 'order.paid', version: 1, status: 'paid', refunded_amount: 0, refund: null },
    part(2, 300, 300, first),
    part(3, 200, 500, second),
    part(4, 100, 600, null),
    { ...part(5, 400, 1000, last), type: 'order.cancelled', status: 'cancelled' },
  ]);
});

test('refunds that are found together are one event with their sum, and none of them is named', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await world.withoutNotifications(async () => {
    for (const amount of [100, 50]) await world.sandbox.control(svcUid, 'cancel', { amount });
  });
  await sendNotification(world, svcUid, merchantUid, 'cancelled');
  const sum = { amount: 150, total: 150, refund_id: null };
  expect((await toldOf(merchantUid)).at(-1)).toMatchObject({ refunded_amount: 150, refund: sum });
});

test('a refund that the service takes back is an event without a refund; what follows counts from there', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid, ...paid } = await pay(merchantUid);
  await world.sandbox.control(svcUid, 'cancel', { amount: 300 });
  const older = { code: 0, message: null, response: { ...paid, abc_uid: svcUid } };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body: older, times: 3 });
  await sendNotification(world, svcUid, merchantUid);
  await world.advance(2);
  await world.advance(5);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  await world.sandbox.clearFaults();
  await sendNotification(world, svcUid, merchantUid);
  const part = {
    type: 'order.partially_cancelled',
    refunded_amount: 300,
    refund: { amount: 300, total: 300 },
  };
  const whole = { type: 'order.paid', refunded_amount: 0, refund: null };
  expect(await toldOf(merchantUid)).toMatchObject([whole, part, whole, part]);
});
