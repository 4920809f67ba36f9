// Each change of the status of an order, and of what was given back of it, is one event, written by the statement that makes
// the change. A refund is named with it if it was ours.

import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { codeOf } from '../../support/call-api';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from '../../support/events-receiver';
import { openBetween } from '../../support/open-between';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { HOUR, pass, eventsOf as planEventsOf, subscribe, useKey } from '../../support/subscriptions';
import { useContext } from '../../support/use-world';
import { startWorld, type World } from '../../support/world';

let receiver: EventsReceiver;
beforeAll(async () => {
  receiver = await startEventsReceiver();
});
afterAll(() => receiver.close());
const world: World = openBetween(
  beforeAll,
  afterAll,
  () => startWorld({ environment: { ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET } }),
  (opened) => opened.close(),
);
const beside = useContext(world);
const key = useKey(world);

const pay = (merchantUid: string, changes: Record<string, unknown> = {}) =>
  world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, ...changes });
const cancel = (svcUid: string, amount: number, checksum: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { amount, checksum, reason: 'broken' });
async function refund(svcUid: string, amount: number, checksum: number): Promise<void> {
  expect((await cancel(svcUid, amount, checksum)).body.outcome).toBe('cancelled');
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
    { type: 'order.paid', merchant_uid: merchantUid },
  ]);
  await deliver();
  expect(receivedOf(merchantUid)).toHaveLength(1);
});

test('many notifications of one order at the same time are one event for each status', async () => {
  const merchantUid = await registerOrder(world);
  const payments = [await paySilently(world, merchantUid), await paySilently(world, merchantUid)];
  const many = [...payments, ...payments, ...payments];
  await Promise.all(many.map(({ svc_uid }) => sendNotification(world, svc_uid, merchantUid)));
  expect(await toldOf(merchantUid)).toMatchObject([{ type: 'order.paid' }]);
});

test('the events can be asked for from a place on, and sent again by their id', async () => {
  const merchantUid = await registerOrder(world);
  await pay(merchantUid);
  for (let count = 0; count < 2; count += 1) await pay(await registerOrder(world));
  await deliver();
  const { body: all } = await world.api('GET', '/api/events?limit=1000');
  const places = all.list.map(({ position }: { position: string }) => Number(position));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  const { body: rest } = await world.api('GET', `/api/events?limit=2&after=${places[0]}`);
  expect(rest).toMatchObject({ list: all.list.slice(1, 3), next: String(places[2]) });

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

test('an order that was deleted by hand and registered anew is paid and told, as if it were new', async () => {
  const merchantUid = await registerOrder(world);
  await pay(merchantUid);
  await deliver();
  for (const table of ['payments', 'orders'])
    await world.rows.query(`delete from ${table} where merchant_uid = $1`, [merchantUid]);
  await registerOrder(world, merchantUid);
  const { svc_uid } = await pay(merchantUid);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  await deliver();
  const told = receiver.received.filter(({ id }) => id === `${merchantUid}:1`);
  expect(told.map(({ body }) => body.data.svc_uid)).toEqual([expect.any(String), svc_uid]);
});

test('each part given back is one event with its amount, the total and its refund; one of the console names no refund', async () => {
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

test('a refund whose answer was lost is named as soon as its payment shows it, and told once', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response', times: 1 });
  expect((await cancel(svcUid, 300, 1000)).status).toBe(202);
  await syncPayment(beside, { svcUid, merchantUid });
  await world.runEveryMinute(60);
  const [id] = await refundIds(svcUid);
  const named = { amount: 300, total: 300, refund_id: id };
  expect((await toldOf(merchantUid)).map((each) => each.refund)).toEqual([null, named]);
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

test('events of the order of a cycle name the subscription, those of another order do not, and a refund wakes nothing twice', async () => {
  const plansOf = async (merchantUid: string) => {
    const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
    return body.list.map(({ data }: { data: { subscription_id: string | null } }) => data.subscription_id);
  };
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  const { body } = await world.api('GET', `/api/orders/${id}-1`);
  await refund(body.payments[0].svc_uid, 300, 1000);
  await refund(body.payments[0].svc_uid, 700, 700);
  await pass(world, 60);
  expect(await plansOf(`${id}-1`)).toEqual([id, id, id]);
  expect(await planEventsOf(world, id)).toEqual(['renewed 1.0']);

  const first_payment_at = new Date(world.clock.nowMs() + 9e6);
  const dear = await subscribe(world, key, { amount: 2000, first_payment_at });
  await world.rows.query('update subscriptions set cycle = 5 where subscription_id = $1', [dear]);
  // Of a cycle that has not come, over something else, or a number that no cycle has.
  for (const other of [`${id}-7`, `${id}-99999999999999999999`, `${id}-x`, `${dear}-2`]) {
    await registerOrder(world, other);
    await pay(other);
    expect(await plansOf(other)).toEqual([null]);
  }
});
