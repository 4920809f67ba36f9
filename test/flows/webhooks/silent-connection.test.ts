// Connections to the database go silent for ever without being closed, while new ones work (rows M2, M34, F4 and F15 of
// docs/faults.md). An answer shows that what waited on one of them was given up; what follows goes over a new one.

import { eventually } from '../../support/eventually';
import { startFreezingProxy, type FreezingProxy } from '../../support/freezing-proxy';
import { newUid, paySilently, registerOrders, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

let proxy: FreezingProxy;
// Before the world, which would wait for what is silent.
afterAll(() => proxy.close());
const world = useWorld({
  async databaseThrough(url) {
    proxy = await startFreezingProxy(url);
    return proxy.url;
  },
});

type Send = () => ReturnType<typeof sendNotification>;

/** Pays an order. Returns what sends its notification. */
async function payOrder(): Promise<Send> {
  const uid = newUid();
  await registerOrders(world, [uid]);
  const { svc_uid } = await paySilently(world, uid);
  return () => sendNotification(world, svc_uid, uid);
}
const payOrders = (count: number) => Promise.all(Array.from({ length: count }, payOrder));

/** From sixteen senders, each of which waits for its answer. Returns how often each status was answered. */
async function sendAll(sends: Send[], senders = 16): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const queue = [...sends];
  const sendInTurn = async () => {
    for (let send = queue.shift(); send; send = queue.shift()) {
      const { status } = await send();
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, sendInTurn));
  return counts;
}

/** Both pools have open connections, and most has been said over one of those that notifications take. */
async function warmUp(): Promise<void> {
  await eventually(async () => {
    await Promise.all(Array.from({ length: 30 }, () => world.api('GET', '/api/orders?limit=1')));
    await sendAll(await payOrders(100), 100);
    return proxy.open() >= 8;
  });
}

test('M2 all connections go silent: at most the notification in hand is 503, and those that wait go on over a new one', async () => {
  const [first, others] = [await payOrder(), await payOrders(10)];
  await warmUp();
  proxy.freeze();
  const written = proxy.swallowed();
  const inHand = first();
  await eventually(() => proxy.swallowed() > written);
  let isOver = false;
  const waiting = sendAll(others, 10).finally(() => (isOver = true));
  await eventually(() => isOver);
  expect(await waiting).toEqual({ 200: 10 });
  expect(await inHand).toMatchObject({ status: 503 });
  // The sender sends again what was 503.
  expect(await first()).toMatchObject({ outcome: 'recorded' });
});

test('M34 forty notifications at once over silent connections are all answered within five seconds, and the next forty are recorded', async () => {
  const sends = await payOrders(40);
  await warmUp();
  proxy.freeze();
  const { 200: stored = 0, 503: refused = 0 } = await sendAll(sends, 40);
  expect(stored + refused).toBe(40);
  expect(await sendAll(sends, 40)).toEqual({ 200: 40 });
});

test('M34 with one of ten connections silent, one statement is given up and nothing else', async () => {
  const sends = await payOrders(100);
  await warmUp();
  proxy.freeze(1);
  const { 200: stored = 0, 503: refused = 0 } = await sendAll(sends);
  // Sixteen senders: no more than that many can share the one statement.
  expect(refused).toBeLessThanOrEqual(16);
  expect(stored + refused).toBe(100);
});

test('M34 in ninety-five seconds one silent connection of ten costs less than a fifth of the throughput', async () => {
  const [before, after] = [await payOrders(100), await payOrders(50)];
  await warmUp();
  proxy.freeze(1);
  const refused = [await sendAll(before), await sendAll(after)].map(({ 503: count = 0 }) => count);
  // It is met once, and its statement is given up after 2.8 s; then nothing is sent over it any more.
  expect(refused.filter((count) => count > 0).length).toBeLessThanOrEqual(1);
});

test('F4 a database that takes connections and never answers: 503 within three seconds', async () => {
  const send = await payOrder();
  proxy.swallowNew(true);
  try {
    proxy.freeze();
    // Over a connection that was open, and over one that never opens.
    for (let time = 0; time < 2; time += 1) expect(await send()).toMatchObject({ status: 503 });
  } finally {
    proxy.swallowNew(false);
  }
});

test('F15 every statement takes three seconds: 503 within three seconds, and nothing stays half written', async () => {
  const send = await payOrder();
  await world.rows.query(`
    create or replace function wait_three_seconds() returns trigger language plpgsql as
      $$ begin perform pg_sleep(3); return new; end $$;
    create trigger slow before insert on notifications for each row execute function wait_three_seconds()`);
  const before = await world.rows.books();
  try {
    expect(await send()).toMatchObject({ status: 503 });
    expect(await world.rows.books()).toBe(before);
  } finally {
    await world.rows.query('drop trigger slow on notifications');
  }
  expect(await send()).toEqual({ status: 200, outcome: 'recorded' });
});
