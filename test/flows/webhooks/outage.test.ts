// The service is down, refuses our credentials or requests a pause, and returns (rows E10, E21, E27, L7, M7, M9 and M35 of
// docs/13-faults.md). Meanwhile notifications are answered `queued` and forms 503. The return is detected within half a minute, and
// the backlog is processed, oldest first.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { claimDue } from '../../../src/merchant/core/webhooks/due-notification-store';
import { closeContext } from '../../../src/merchant/platform/context';
import { ask } from '../../support/ask';
import { openContext } from '../../support/beside-world';
import { API_KEY } from '../../support/config';
import { eventually } from '../../support/eventually';
import { registerKey } from '../../support/keys';
import { charge, newUid, notifyMany, registerOrders, storedOutcomes } from '../../support/orders';
import { bothSides, resetWorld } from '../../support/reconciliation';
import { CHARGE_KEY, FETCH_PAYMENT, TOKEN } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import { expectQueuedThenRecorded, payOrder, payOrders, QUEUED, type Paid } from './setup';

const world = useWorld();
beforeEach(async () => {
  await resetWorld(world);
  // A pause that another test has asked for is over.
  world.clock.advance(24 * 3600);
  await world.rows.query('delete from service_pauses');
});

const ALWAYS = 1_000_000;
const fail = (times: number, fault: object = { kind: 'status', status: 503 }, endpoint = FETCH_PAYMENT) =>
  world.sandbox.fault({ endpoint, times, ...fault });
const fetches = (act: () => Promise<unknown>) => world.sandbox.requestsDuring(FETCH_PAYMENT, act);
const orders = () => world.rows.query('select distinct status, version from orders');
const PAID_ONCE = [{ status: 'paid', version: 1 }];
async function pass(...seconds: number[]): Promise<void> {
  for (const each of seconds) await world.advance(each);
}

test('M35 waiting notifications are checked within half a minute after the service is back', async () => {
  const ids = await payOrders(world, 8);
  await fail(ALWAYS);
  expect(await notifyMany(world, ids)).toEqual({ queued: 8 });
  await pass(2, 5, 15, 60, 300, 900);
  await world.sandbox.clearFaults();
  await world.advance(15);
  expect(await storedOutcomes(world)).toEqual({ recorded: 8 });
  expect(await orders()).toEqual(PAID_ONCE);
});

test('a waiting notification is checked within half a minute also if another query was answered first', async () => {
  const [waiting, other] = [await payOrder(world), await payOrder(world)];
  await fail(ALWAYS);
  await waiting.notify();
  await pass(2, 5, 15, 60, 300);
  await world.sandbox.clearFaults();
  await other.notify();
  await pass(15);
  expect(await storedOutcomes(world)).toEqual({ recorded: 2 });
});

test('during an outage one notification at a time is tried between the gaps', async () => {
  const ids = await payOrders(world, 3);
  await fail(ALWAYS);
  await notifyMany(world, ids);
  await pass(2, 5, 15, 60, 300);
  const attempts = () => world.rows.query('select svc_uid, attempts from notifications order by svc_uid');
  const before = await attempts();
  for (let turn = 0; turn < ids.length; turn += 1) expect(await fetches(() => world.advance(15))).toBe(1);
  expect(await attempts()).toEqual(before.map((row) => ({ ...row, attempts: Number(row['attempts']) + 1 })));
});

test('M7 when the service is back, at most sixty-four waiting payments are fetched at a time', async () => {
  await fail(ALWAYS);
  await notifyMany(world, await payOrders(world, 70));
  await world.sandbox.clearFaults();
  await fail(64, { kind: 'delay', delay_ms: 1_000 });
  const before = await world.sandbox.requests(FETCH_PAYMENT);
  const round = world.advance(2);
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) >= before + 64);
  // The others have not been claimed.
  const leased = [new Date(world.clock.nowMs() + 50_000)];
  const claimed = await world.rows.query('select from notifications where next_attempt_at > $1', leased);
  expect(claimed.length).toBeLessThanOrEqual(64);
  await round;
  expect(await storedOutcomes(world)).toEqual({ recorded: 70 });
});

test('notifications that a dead process had claimed are claimed again after a minute', async () => {
  await fail(1);
  await (await payOrder(world)).notify();
  world.clock.advance(2);
  const dying = openContext(world);
  expect(await claimDue(dying, 'legacy', 32)).toHaveLength(1);
  await closeContext(dying);
  expect(await fetches(() => world.runEveryMinute(59))).toBe(0);
  expect(await fetches(() => world.runEveryMinute(1))).toBe(1);
});

const TOO_MANY = { kind: 'status', status: 429, headers: { 'retry-after': '7' } };
// The same for a service that is silent: test/waiting/silent-service.test.ts.
test.each([
  ['E20 a code other than 0 with HTTP 200', { kind: 'status', status: 200 }, 'refused'],
  ['E21 a 429 with Retry-After', TOO_MANY, 'rate_limited'],
])('%s is queued at the webhook, and recorded later', (_, fault, reason) =>
  expectQueuedThenRecorded(world, fault, reason),
);

test('E27 after an outage of a day all queued notifications are recorded once within fifteen minutes', async () => {
  // The token of a test before this one has expired, so it is asked for as well.
  await fail(ALWAYS, undefined, TOKEN);
  for (let hour = 0; hour < 24; hour += 6) {
    expect(await (await payOrder(world)).notify()).toEqual(QUEUED);
    await world.runEveryMinute(6 * 3600);
  }
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(0);
  expect(await world.rows.query('select from payments')).toEqual([]);
  expect(await orders()).toEqual([{ status: 'open', version: 0 }]);

  await world.sandbox.clearFaults();
  for (let minute = 0; minute < 15; minute += 5) await world.runEveryMinute(300);
  expect(await storedOutcomes(world)).toEqual({ recorded: 4 });
  expect(await orders()).toEqual(PAID_ONCE);
  const { service, stored } = await bothSides(world);
  expect(stored).toHaveLength(4);
  expect(stored).toEqual(service);
  expect(await world.rows.query('select from discrepancies')).toEqual([]);
});

const askForPauseAt = (endpoint: string, retryAfter: string) =>
  fail(1, { kind: 'status', status: 429, headers: { 'retry-after': retryAfter } }, endpoint);

/** One notification is answered with a 429, and its pause is in the table. */
async function askForPause(retryAfter = '60'): Promise<Paid & { calls: number }> {
  const paid = await payOrder(world);
  await askForPauseAt(FETCH_PAYMENT, retryAfter);
  expect(await paid.notify()).toEqual(QUEUED);
  await world.rows.waitFor('select 1 from service_pauses');
  return { ...paid, calls: await world.sandbox.allRequests() };
}

test('M9 no query is sent during a pause that the service asked for', async () => {
  await askForPause();
  const second = await payOrder(world);
  const calls = await world.sandbox.allRequests();
  expect(await second.notify()).toEqual(QUEUED);
  await pass(5, 25, 25);
  await world.runEveryMinute();
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await storedOutcomes(world)).toEqual({ 'queued:rate_limited': 2 });
  expect(await world.rows.query('select distinct attempts from notifications')).toEqual([{ attempts: 0 }]);
  await world.advance(5);
  expect(await orders()).toEqual(PAID_ONCE);
});

test('M9 another process on the same database makes no call during the pause either', async () => {
  const { calls, ...reported } = await askForPause();
  const other = openContext(world);
  try {
    const put = { outcome: 'queued', reason: 'rate_limited' };
    expect(await syncPayment(other, reported)).toMatchObject(put);
    await expect(reconcile(other)).rejects.toMatchObject({ facts: { kind: 'rate_limited' } });
    expect(await world.sandbox.allRequests()).toBe(calls);
    world.clock.advance(60);
    expect(await syncPayment(other, reported)).toMatchObject({ outcome: 'recorded' });
  } finally {
    await closeContext(other);
  }
});

test('M9 API queries during a pause are refused with its remaining time, and nothing is sent', async () => {
  const { calls } = await askForPause();
  world.clock.advance(20);
  const headers = { authorization: `Bearer ${API_KEY}` };
  const response = await ask(world.url, 'GET', '/api/payments?status=paid', { headers });
  expect([response.status, response.headers['retry-after']]).toEqual([503, '40']);
  expect(response.body).toMatchObject({ error: { code: 'service_unavailable' } });
  expect(await world.sandbox.allRequests()).toBe(calls);
});

test('M9 calls that move money are sent during a pause of the queries, and keep a pause of their own', async () => {
  const { customerUid: key } = await registerKey(world);
  await askForPause();
  const [one, two] = [newUid(), newUid()];
  await registerOrders(world, [one, two]);
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  expect((await charge(world, one, key)).status).toBe(202);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(1);
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(fetches);

  await askForPauseAt(CHARGE_KEY, '60');
  for (let time = 0; time < 2; time += 1) expect((await charge(world, two, key)).status).toBe(503);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(2);
  const pauses = await world.rows.query('select line from service_pauses order by line');
  expect(pauses).toEqual([{ line: 'legacy' }, { line: 'visitors' }, { line: 'writes' }]);
  await world.advance(60);
  expect((await charge(world, two, key)).status).toBe(200);
});

// How the header is read is tested in test/merchant/payment-service/envelope.test.ts.
test.each([
  ['in seconds', '30', 30],
  ['longer than an hour', '86400', 3600],
  ['that is nonsense', 'soon', 5],
])('E21: a pause %s lasts for its time, at most an hour', async (_, retryAfter, seconds) => {
  await askForPause(retryAfter);
  expect(await fetches(() => world.advance(seconds - 1))).toBe(0);
  await world.advance(10);
  expect(await orders()).toEqual(PAID_ONCE);
});
