// Each change of the status of an order is one event, written by the statement that makes the change.

import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from '../../support/events-receiver';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { startWorld, type World } from '../../support/world';

let receiver: EventsReceiver;
let world: World;
beforeAll(async () => {
  receiver = await startEventsReceiver();
  world = await startWorld({
    environment: { ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET },
  });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const toldOf = (merchantUid: string) => receiver.told().filter((each) => each.startsWith(`${merchantUid}:`));
const eventsOf = (merchantUid: string) =>
  world.rows.query('select version, type, data from events where stream = $1 order by id', [merchantUid]);
const deliver = () => world.runEveryMinute();

test('a paid order is told to the handler and, signed, to the URL, once each', async () => {
  const merchantUid = await registerOrder(world, newUid(), { member_id: 'member-1' });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
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
  expect(receiver.received.filter(({ id }) => id === `${merchantUid}:1`)).toEqual([
    {
      id: `${merchantUid}:1`,
      isSigned: true,
      body: { type: 'order.paid', timestamp: world.clock.now().toISOString(), data },
    },
  ]);
  expect(world.log.events('order_event')).toMatchObject([
    { id: `${merchantUid}:1`, type: 'order.paid', merchant_uid: merchantUid },
  ]);
  expect(await eventsOf(merchantUid)).toEqual([{ version: 1, type: 'order.paid', data }]);

  await deliver();
  expect(toldOf(merchantUid)).toHaveLength(1);
});

test('an order that goes through all of its life tells each step, in its order', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    outcome: 'virtual_account',
  });
  await world.sandbox.control(svc_uid, 'deposit');
  await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
  await world.sandbox.control(svc_uid, 'cancel');
  await deliver();
  expect(toldOf(merchantUid)).toEqual([
    `${merchantUid}:1 order.awaiting_deposit`,
    `${merchantUid}:2 order.paid`,
    `${merchantUid}:3 order.partially_cancelled`,
    `${merchantUid}:4 order.cancelled`,
  ]);
});

test('what changes no status is no event: a second notification, a false one, a payment of another amount', async () => {
  const paid = await registerOrder(world);
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  await sendNotification(world, svc_uid, paid);
  const open = await registerOrder(world);
  await sendNotification(world, svc_uid, open);
  await world.sandbox.pay({ merchant_uid: open, amount: 999 });
  await deliver();
  expect(toldOf(paid)).toEqual([`${paid}:1 order.paid`]);
  expect(await orderStatus(world, open)).toBe('open');
  expect(await eventsOf(open)).toEqual([]);
});

test('a failed payment is told, and the payment that follows it', async () => {
  const merchantUid = await registerOrder(world);
  const failed = await paySilently(world, merchantUid, { outcome: 'failed' });
  await sendNotification(world, failed.svc_uid, merchantUid, 'failed');
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await deliver();
  expect(toldOf(merchantUid)).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);
});

test('many notifications of one order at the same time are one event for each status', async () => {
  const merchantUid = await registerOrder(world);
  const first = await paySilently(world, merchantUid);
  const second = await paySilently(world, merchantUid);
  await Promise.all(
    [first, second, first, second, first].map(({ svc_uid }) => sendNotification(world, svc_uid, merchantUid)),
  );
  await deliver();
  expect(toldOf(merchantUid)).toEqual([`${merchantUid}:1 order.paid`]);
});

test('the events can be asked for from a place on, and sent again by their id', async () => {
  const merchantUid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const { body: own } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
  expect(own).toMatchObject({ next: null, list: [{ id: `${merchantUid}:1`, type: 'order.paid' }] });
  await deliver();

  const { body: all } = await world.api('GET', '/api/events?limit=1000');
  const places = all.list.map(({ position }: { position: string }) => Number(position));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  const { body: rest } = await world.api('GET', `/api/events?limit=2&after=${places[0]}`);
  expect(rest.list.map(({ position }: { position: string }) => Number(position))).toEqual(places.slice(1, 3));
  expect(rest.next).toBe(String(places[2]));

  const replayed = await world.api('POST', `/api/events/${merchantUid}:1/replay`);
  expect([replayed.status, replayed.body.deliveries]).toMatchObject([
    202,
    [
      { target: 'handler', state: 'waiting', attempts: 0 },
      { target: 'url', state: 'waiting', attempts: 0 },
    ],
  ]);
  await deliver();
  expect(toldOf(merchantUid)).toEqual([`${merchantUid}:1 order.paid`, `${merchantUid}:1 order.paid`]);
  const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}&undelivered=false`);
  expect(body.list[0].deliveries).toMatchObject([
    { target: 'handler', state: 'delivered', attempts: 1, reason: null },
    { target: 'url', state: 'delivered', attempts: 1, reason: null },
  ]);
});

test.each(['nobody:1', 'nobody', ':1', 'a:99999999999', '%00:1'])('an event %s is none', async (id) => {
  const { status, body } = await world.api('POST', `/api/events/${id}/replay`);
  expect([status, body.error.code]).toEqual([404, 'event_not_found']);
});

test('an order that was deleted by hand and registered anew is paid and told, as if it were new', async () => {
  const merchantUid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await deliver();
  await world.rows.query('delete from payments where merchant_uid = $1', [merchantUid]);
  await world.rows.query('delete from orders where merchant_uid = $1', [merchantUid]);
  await registerOrder(world, merchantUid);
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  await deliver();
  const told = receiver.received.filter(({ id }) => id === `${merchantUid}:1`);
  expect(told.map(({ body }) => body.data.svc_uid)).toEqual([expect.any(String), svc_uid]);
});
