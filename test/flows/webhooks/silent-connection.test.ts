// Connections to the database go silent without being closed, while new ones work (rows M2, M34, F3 and F4 of
// docs/faults.md). What waits for an answer on one of them is given up; everything after it goes on over a new one.

import { eventually } from '../../support/eventually';
import { startFreezingProxy, type FreezingProxy } from '../../support/freezing-proxy';
import { newUid, paySilently, registerOrders, sendNotification } from '../../support/orders';
import { startWorld, type World } from '../../support/world';

/** A statement is given up after 2.8 s. */
const GIVEN_UP_WITHIN_MS = 4000;

let world: World;
let proxy: FreezingProxy;
beforeAll(async () => {
  world = await startWorld({
    async databaseThrough(url) {
      proxy = await startFreezingProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

type Answer = Awaited<ReturnType<typeof sendNotification>> & { afterMs: number };

/** As many payments as the service notifies, each of an order of its own. */
async function payOrders(count: number): Promise<(() => Promise<Answer>)[]> {
  const uids = Array.from({ length: count }, newUid);
  await registerOrders(world, uids);
  const payments = await Promise.all(uids.map((uid) => paySilently(world, uid)));
  return uids.map((uid, i) => async () => {
    const began = performance.now();
    const answer = await sendNotification(world, payments[i]?.svc_uid ?? '', uid);
    return { ...answer, afterMs: performance.now() - began };
  });
}

/** From sixteen senders, each of which waits for its answer. */
async function sendAll(sends: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const queue = [...sends];
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let send = queue.shift(); send; send = queue.shift()) answers.push(await send());
    }),
  );
  return answers;
}

/** Both pools have open connections, and most has been said over one of those that notifications take. */
async function warmUp(): Promise<void> {
  await Promise.all(Array.from({ length: 30 }, () => world.api('GET', '/api/orders?limit=1')));
  const sends = await payOrders(100);
  await Promise.all(sends.map((send) => send()));
  expect(proxy.open()).toBeGreaterThanOrEqual(8);
}

test('M2 all connections go silent: at most the notification in hand is 503, and those that wait go on over a new one', async () => {
  const [first, ...others] = await payOrders(11);
  await warmUp();
  proxy.freeze();
  const written = proxy.swallowed();
  const inHand = first?.();
  await eventually(() => proxy.swallowed() > written);
  const waiting = await Promise.all(others.map((send) => send()));
  expect(await inHand).toMatchObject({ status: 503 });
  expect((await inHand)?.afterMs).toBeLessThan(GIVEN_UP_WITHIN_MS);
  expect(outcomes(waiting)).toEqual(Array.from({ length: 10 }, () => 'recorded'));
  expect(Math.max(...waiting.map(({ afterMs }) => afterMs))).toBeLessThan(GIVEN_UP_WITHIN_MS);
  // The sender sends again what was 503.
  expect(await first?.()).toMatchObject({ outcome: 'recorded' });
});

test('M34 forty notifications at once over silent connections are all answered within five seconds, and the next forty are recorded', async () => {
  const sends = await payOrders(40);
  await warmUp();
  proxy.freeze();
  const answers = await Promise.all(sends.map((send) => send()));
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(Math.max(...answers.map(({ afterMs }) => afterMs))).toBeLessThan(GIVEN_UP_WITHIN_MS + 1000);
  expect(outcomes(await Promise.all(sends.map((send) => send())))).not.toContain('unavailable');
});

test('M34 with one of ten connections silent, one statement is given up and nothing else', async () => {
  const sends = await payOrders(200);
  await warmUp();
  proxy.freeze(1);
  const answers = await sendAll(sends);
  // Sixteen senders: no more than that many can share the one statement.
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeLessThanOrEqual(16);
  expect(answers.filter(({ afterMs }) => afterMs > 2500).length).toBeLessThanOrEqual(32);
});

test('M34 in ninety-five seconds one silent connection of ten costs less than a fifth of the throughput', async () => {
  const [before, after, later] = [await payOrders(100), await payOrders(100), await payOrders(50)];
  await warmUp();
  const secondsFor = async (sends: typeof before) => {
    const began = performance.now();
    await sendAll(sends);
    return (performance.now() - began) / 1000;
  };
  const usual = await secondsFor(before);
  proxy.freeze(1);
  const lost = (await secondsFor(after)) - usual;
  // It is met once: after its statement was given up, nothing is sent over it any more.
  expect(lost).toBeLessThan(95 / 5);
  const swallowed = proxy.swallowed();
  await sendAll(later);
  expect(proxy.swallowed()).toBe(swallowed);
});

test('F4 a database that takes connections and never answers: 503 within three seconds', async () => {
  proxy.swallowNew(true);
  try {
    proxy.freeze();
    const [send] = await payOrders(1);
    const answer = await send?.();
    expect(answer).toMatchObject({ status: 503 });
    const again = await send?.();
    expect(again).toMatchObject({ status: 503 });
    expect(again?.afterMs).toBeLessThan(3000);
  } finally {
    proxy.swallowNew(false);
  }
});

test('F15 every statement takes three seconds: 503 within three seconds, and nothing stays half written', async () => {
  await world.rows.query(SLOW_NOTIFICATIONS);
  const [send] = await payOrders(1);
  try {
    const answer = await send?.();
    expect(answer).toMatchObject({ status: 503 });
    expect(answer?.afterMs).toBeLessThan(3000);
  } finally {
    await world.rows.query('drop trigger slow on notifications');
  }
  expect(await send?.()).toMatchObject({ status: 200, outcome: 'recorded' });
});

const SLOW_NOTIFICATIONS = `
  create or replace function wait_three_seconds() returns trigger language plpgsql as
    $$ begin perform pg_sleep(3); return new; end $$;
  create trigger slow before insert on notifications for each row execute function wait_three_seconds()`;

const outcomes = (answers: Answer[]) => answers.map(({ outcome }) => outcome);
