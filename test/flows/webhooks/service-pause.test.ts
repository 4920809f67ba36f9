// The service asks for a pause (429): nobody asks it anything before the time, but for what moves money. Notifications are
// stored and answered meanwhile, and checked when the pause is over.

import { closeContext } from '../../../src/merchant/context';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { reconcile } from '../../../src/merchant/reconciliation/reconcile';
import { openContext } from '../../support/beside-world';
import { API_KEY } from '../../support/config';
import { CHARGE_KEY, FETCH_PAYMENT } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import {
  charge,
  newUid,
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { useFreshWorld } from '../../support/use-world';

const world = useFreshWorld();

/** An order is paid, and its notification cannot be checked. */
async function notifyInVain(): Promise<{ svcUid: string; merchantUid: string }> {
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const answer = await sendNotification(world, svcUid, merchantUid);
  expect(answer).toEqual({ status: 200, outcome: 'queued' });
  return { svcUid, merchantUid };
}

const askForPauseAt = (endpoint: string, headers: Record<string, string>) =>
  world.sandbox.fault({ endpoint, kind: 'status', status: 429, headers });

/** One notification is answered with a 429, and its pause is in the table. */
async function askForPause(retryAfter = '60') {
  await askForPauseAt(FETCH_PAYMENT, { 'retry-after': retryAfter });
  const notified = await notifyInVain();
  await world.rows.waitFor('select 1 from service_pauses');
  return { ...notified, calls: await world.sandbox.allRequests() };
}

test('M9 before the time nothing is asked, and all is checked once it is over', async () => {
  const first = await askForPause();
  const second = await notifyInVain();
  const calls = await world.sandbox.allRequests();
  for (let elapsed = 0; elapsed < 55; elapsed += 5) await world.advance(5);
  await world.runEveryMinute();
  expect(await world.sandbox.allRequests()).toBe(calls);
  const queued = [{ outcome: 'queued', reason: 'rate_limited' }];
  expect(await notificationsOf(world, second.merchantUid)).toEqual(queued);
  expect(await world.rows.query('select distinct attempts from notifications')).toEqual([{ attempts: 0 }]);

  await world.advance(5);
  for (const { merchantUid } of [first, second]) expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('M9 another process on the same database makes no call either', async () => {
  const { calls, ...claim } = await askForPause();
  const other = openContext(world);
  try {
    const put = { outcome: 'queued', reason: 'rate_limited' };
    expect(await syncPayment(other, claim)).toMatchObject(put);
    await expect(reconcile(other)).rejects.toMatchObject({ facts: { kind: 'rate_limited' } });
    expect(await world.sandbox.allRequests()).toBe(calls);
    world.clock.advance(60);
    expect(await syncPayment(other, claim)).toMatchObject({ outcome: 'recorded' });
  } finally {
    await closeContext(other);
  }
});

test('M9 queries of the API are refused with the rest of the pause, and nothing is sent', async () => {
  const { calls } = await askForPause();
  world.clock.advance(20);
  const headers = { authorization: `Bearer ${API_KEY}` };
  const response = await fetch(`${world.url}/api/payments?status=paid`, { headers });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '40']);
  expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
  expect(await world.sandbox.allRequests()).toBe(calls);
});

test('M9 what moves money goes out in a pause, and takes the same pause when it is asked to', async () => {
  const { customerUid: key } = await registerKey(world);
  await askForPause();
  const [one, two] = [await registerOrder(world, newUid()), await registerOrder(world, newUid())];
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  expect((await charge(world, one, key)).status).toBe(202);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(1);
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(fetches);

  await askForPauseAt(CHARGE_KEY, { 'retry-after': '60' });
  for (let time = 0; time < 2; time += 1) expect((await charge(world, two, key)).status).toBe(503);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(2);
  const pauses = await world.rows.query('select line from service_pauses order by line');
  expect(pauses).toEqual([{ line: 'legacy' }, { line: 'operations' }, { line: 'visitors' }]);
  await world.advance(60);
  expect((await charge(world, two, key)).status).toBe(200);
});

// How the header is read is tested in test/merchant/payment-service/envelope.test.ts.
test.each([
  ['in seconds', '30', 30],
  ['longer than an hour', '86400', 3600],
  ['that is nonsense', 'soon', 5],
])('E21: a pause %s holds for its time, an hour at most', async (_, retryAfter, seconds) => {
  const { merchantUid } = await askForPause(retryAfter);
  const quiet = () => world.advance(seconds - 1);
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, quiet)).toBe(0);
  expect(await orderStatus(world, merchantUid)).toBe('open');
  await world.advance(10);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});
