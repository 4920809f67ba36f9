// The service is away for long and comes back. Whatever its fault was, notifications were answered `queued`; when it answers
// again that is noticed within half a minute, and everything that waited is checked, the oldest first.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { notifyMany, storedOutcomes } from '../../support/notification-burst';
import {
  newUid,
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrders,
  sendNotification,
} from '../../support/orders';
import { useFreshWorld } from '../../support/use-world';

const world = useFreshWorld();

async function payOrders(count: number) {
  const merchantUids = Array.from({ length: count }, newUid);
  await registerOrders(world, merchantUids);
  const ids: { svcUid: string; merchantUid: string }[] = [];
  for (const merchantUid of merchantUids)
    ids.push({ svcUid: (await paySilently(world, merchantUid)).svc_uid, merchantUid });
  return ids;
}

const fail = (times: number) =>
  world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times });
const fetches = (act: () => Promise<unknown>) => world.sandbox.requestsDuring(FETCH_PAYMENT, act);

test('M35 what waited for the service is checked within half a minute of its return, not a quarter of an hour', async () => {
  const ids = await payOrders(60);
  await fail(1_000_000);
  expect(await notifyMany(world, ids)).toEqual({ queued: 60 });
  for (const seconds of [2, 5, 15, 60, 300, 900]) await world.advance(seconds);
  const [next] = await world.rows.query<{ at: Date }>(
    'select min(next_attempt_at) as at from notifications where judged_at > $1',
    [new Date(world.clock.nowMs() - 1_000)],
  );
  expect(next?.at.getTime()).toBeGreaterThan(world.clock.nowMs() + 800_000);
  await world.sandbox.clearFaults();
  await world.advance(15);
  expect(await storedOutcomes(world)).toEqual({ recorded: 60 });
  expect(await world.rows.query(`select distinct status from orders`)).toEqual([{ status: 'paid' }]);
});

test('while it is away one notification in turn is tried between the gaps', async () => {
  const ids = await payOrders(3);
  await fail(1_000_000);
  await notifyMany(world, ids);
  for (const seconds of [2, 5, 15, 60, 300]) await world.advance(seconds);
  const before = await world.rows.query('select svc_uid, attempts from notifications order by svc_uid');
  for (let turn = 0; turn < ids.length; turn += 1) expect(await fetches(() => world.advance(15))).toBe(1);
  const after = await world.rows.query('select svc_uid, attempts from notifications order by svc_uid');
  expect(after).toEqual(before.map((row) => ({ ...row, attempts: Number(row['attempts']) + 1 })));
});

test('M7 when it is back, thirty-two of those that waited are fetched at a time and no more', async () => {
  const AT_ONCE = 32;
  const ids = await payOrders(80);
  await fail(1_000_000);
  await notifyMany(world, ids);
  await world.sandbox.clearFaults();
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1500, times: AT_ONCE });
  const begun = await world.sandbox.requests(FETCH_PAYMENT);
  const round = world.advance(2);
  const fetched = async () => (await world.sandbox.requests(FETCH_PAYMENT)) - begun;
  await eventually(async () => (await fetched()) >= AT_ONCE);
  // Time enough for one more, before the first of them is answered.
  await world.rows.query('select pg_sleep(0.3)');
  expect(await fetched()).toBe(AT_ONCE);
  await round;
  expect(await storedOutcomes(world)).toEqual({ recorded: 80 });
});

test('a payment that alone cannot be fetched keeps its gaps, while others are', async () => {
  const [bad, good] = await payOrders(2);
  if (!bad || !good) throw new Error('two');
  await fail(6);
  await sendNotification(world, bad.svcUid, bad.merchantUid);
  for (const seconds of [2, 5, 15]) await world.advance(seconds);
  await world.sandbox.clearFaults();
  await sendNotification(world, good.svcUid, good.merchantUid);
  await fail(1);
  await world.advance(0);
  await sendNotification(world, good.svcUid, good.merchantUid);
  expect(await notificationsOf(world, bad.merchantUid)).toEqual([
    { outcome: 'queued', reason: 'server_error' },
  ]);
  expect(await fetches(() => world.advance(50))).toBe(0);
});

test('one attempt covers all copies of a payment, and counts once for each', async () => {
  const [paid] = await payOrders(1);
  if (!paid) throw new Error('one');
  await fail(1);
  await sendNotification(world, paid.svcUid, paid.merchantUid);
  await fail(1);
  await sendNotification(world, paid.svcUid, paid.merchantUid, 'ready');
  expect(await fetches(() => world.advance(2))).toBe(1);
  expect(await world.rows.query('select outcome, attempts, next_attempt_at from notifications')).toEqual([
    { outcome: 'recorded', attempts: 2, next_attempt_at: null },
    { outcome: 'recorded', attempts: 2, next_attempt_at: null },
  ]);
});

test('what a process had claimed when it died is claimed again after a minute', async () => {
  const [paid] = await payOrders(1);
  if (!paid) throw new Error('one');
  await fail(1);
  await sendNotification(world, paid.svcUid, paid.merchantUid);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 5_000 });
  const begun = await world.sandbox.requests(FETCH_PAYMENT);
  const round = world.advance(2);
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) > begun);
  // As the dead process leaves it.
  const [row] = await world.rows.query<{ at: Date }>('select next_attempt_at as at from notifications');
  expect(row?.at.getTime()).toBe(world.clock.nowMs() + 60_000);
  await round;
  await world.rows.query(`update notifications set outcome = 'queued', next_attempt_at = $1`, [row?.at]);
  await world.rows.query('update orders set status = status');
  expect(await fetches(() => world.runEveryMinute(59))).toBe(0);
  expect(await fetches(() => world.runEveryMinute(1))).toBe(1);
});

test.each([
  ['E14 no answer', { kind: 'delay', delay_ms: 60_000 }, 'no_answer'],
  ['E15 an answer that drips', { kind: 'drip', delay_ms: 1_000 }, 'no_answer'],
  ['E20 a code other than 0 with HTTP 200', { kind: 'status', status: 200 }, 'refused'],
  [
    'E21 a 429 with Retry-After',
    { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    'rate_limited',
  ],
])('%s is queued at the webhook within 12 s, and recorded later', async (_, fault, reason) => {
  const [paid] = await payOrders(1);
  if (!paid) throw new Error('one');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, ...fault });
  const before = await world.rows.money();
  const startedMs = performance.now();
  expect(await sendNotification(world, paid.svcUid, paid.merchantUid)).toEqual({
    status: 200,
    outcome: 'queued',
  });
  expect(performance.now() - startedMs).toBeLessThan(12_000);
  await world.rows.waitFor('select 1 from notifications where judged_at is not null');
  expect(await notificationsOf(world, paid.merchantUid)).toEqual([{ outcome: 'queued', reason }]);
  expect(await world.rows.money()).toBe(before);
  await world.advance(7);
  expect(await orderStatus(world, paid.merchantUid)).toBe('paid');
});
