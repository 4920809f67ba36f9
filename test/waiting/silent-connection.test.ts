// Database connections stop answering without being closed, while new ones work (rows M2, M34 and F4 of docs/13-faults.md). Statements
// on a silent connection time out; later ones use a new connection.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { payOrder, payOrders, type Paid } from '../flows/webhooks/setup';
import { startFreezingProxy, type FreezingProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { useWorld } from '../support/use-world';

let proxy: FreezingProxy;
// Before the world, which would wait for silent connections.
afterAll(() => proxy.close());
const world = useWorld({
  async databaseThrough(url) {
    proxy = await startFreezingProxy(url);
    // Without limits of the server, which still answers.
    return `${proxy.url}?options=-c%20TimeZone%3DUTC`;
  },
});

/** The product's own limits, in ms, on a statement and on opening a connection (database-pool.ts). */
const [STATEMENT, CONNECTION] = [2_800, 2_500];
const { setTimeout, clearTimeout } = globalThis;
/** The tests end them, so the load of the machine does not matter. */
const limits = new Map<unknown, { ms: number; end: () => void }>();
const statementsUnderWay = () => [...limits].filter(([, { ms }]) => ms === STATEMENT).map(([timer]) => timer);
function endLimits(): void {
  const all = [...limits.values()];
  limits.clear();
  for (const { end } of all) end();
}

beforeEach(() => {
  const hold = (act: (...values: unknown[]) => void, ms: number, ...values: unknown[]) => {
    if (ms !== STATEMENT && ms !== CONNECTION) return setTimeout(act, ms, ...values);
    const timer = setTimeout(() => undefined, 0);
    limits.set(timer, { ms, end: () => act(...values) });
    return timer;
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    limits.delete(timer);
    clearTimeout(timer);
  });
});
afterEach(() => {
  endLimits();
  jest.restoreAllMocks();
});

/** From several senders, each of which waits for its answer. Returns the number of each status. */
async function sendAll(paid: Paid[], senders = 16): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const queue = [...paid];
  const sendInTurn = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { status } = await next.notify();
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, sendInTurn));
  return counts;
}

/** The answers while limits may end at any time. */
async function answerWhile<T>(answer: Promise<T>, mayEnd = () => true): Promise<T> {
  let isOver = false;
  const over = answer.finally(() => (isOver = true));
  await eventually(() => {
    if (mayEnd()) endLimits();
    return isOver;
  });
  return over;
}

/** An answer of the database takes some milliseconds. */
const SILENT_MS = 1_000;

/** Ends the statements of one silent connection: for a second none has begun or ended. */
function sendPastSilence(paid: Paid[]): Promise<Record<number, number>> {
  const written = proxy.swallowed();
  let before: unknown[] = [];
  let sinceMs = 0;
  return answerWhile(sendAll(paid), () => {
    const now = statementsUnderWay();
    const isSame = now.length === before.length && now.every((timer, n) => timer === before[n]);
    if (proxy.swallowed() === written || now.length === 0 || !isSame) sinceMs = performance.now();
    before = now;
    return performance.now() - sinceMs > SILENT_MS;
  });
}

/** Both pools have open connections, and notifications have mostly used one of them. */
async function warmUp(): Promise<void> {
  const paid = await payOrders(world, 100);
  await eventually(async () => {
    const lists = Array.from({ length: 30 }, () => world.api('GET', '/api/orders?limit=1'));
    await Promise.all([...lists, sendAll(paid, 100)]);
    return proxy.open() >= 8;
  });
}

test('M2 when all connections stop answering, at most the current notification gets a 503, and waiting ones continue over new connections', async () => {
  const [first, others] = [await payOrder(world), await payOrders(world, 10)];
  await warmUp();
  proxy.freeze();
  const written = proxy.swallowed();
  const inHand = first.notify();
  // The pool also writes when it closes an idle connection. A statement has a limit.
  await eventually(() => proxy.swallowed() > written && statementsUnderWay().length > 0);
  let arrived = 0;
  const count = () => (arrived += 1);
  subscribe('http.server.request.start', count);
  const waiting = sendAll(others, 10);
  await eventually(() => arrived >= 10);
  unsubscribe('http.server.request.start', count);
  endLimits();
  expect(await waiting).toEqual({ 200: 10 });
  expect(await inHand).toMatchObject({ status: 503 });
  // The sender repeats notifications that got a 503.
  expect(await first.notify()).toMatchObject({ outcome: 'recorded' });
});

test('M34 forty notifications over connections that stopped answering are answered within five seconds', async () => {
  const paid = await payOrders(world, 40);
  await warmUp();
  proxy.freeze();
  const { 200: stored = 0, 503: refused = 0 } = await answerWhile(sendAll(paid, 40));
  expect(stored + refused).toBe(40);
  expect(await sendAll(paid, 40)).toEqual({ 200: 40 });
});

test('M34 with one of ten connections silent only one statement fails', async () => {
  const paid = await payOrders(world, 100);
  await warmUp();
  proxy.freeze(1);
  const { 200: stored = 0, 503: refused = 0 } = await sendPastSilence(paid);
  // Sixteen senders: at most that many can share the one statement.
  expect(refused).toBeLessThanOrEqual(16);
  expect(stored + refused).toBe(100);
});

test('M34 one silent connection of ten costs less than a fifth of the throughput', async () => {
  const [before, after] = [await payOrders(world, 100), await payOrders(world, 50)];
  await warmUp();
  proxy.freeze(1);
  const refused = [];
  for (const paid of [before, after]) refused.push((await sendPastSilence(paid))[503] ?? 0);
  // It is used once, its statement fails, and then nothing more is sent over it.
  expect(refused.filter((count) => count > 0).length).toBeLessThanOrEqual(1);
});

test('F4 a database that accepts connections and never answers causes a 503 within three seconds', async () => {
  const { notify } = await payOrder(world);
  proxy.swallowNew(true);
  try {
    proxy.freeze();
    // Over a connection that was open, and over one that never opens.
    for (let time = 0; time < 2; time += 1)
      expect(await answerWhile(notify())).toMatchObject({ status: 503 });
  } finally {
    proxy.swallowNew(false);
  }
});
