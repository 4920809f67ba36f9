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

async function payOrder(): Promise<{ svcUid: string; merchantUid: string }> {
  const merchantUid = await registerOrder(world, newUid());
  return { svcUid: (await paySilently(world, merchantUid)).svc_uid, merchantUid };
}

/** One notification is answered with a 429, and its pause is in the table. */
async function askForPause(headers: Record<string, string>) {
  const paid = await payOrder();
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 429, headers });
  const answer = await sendNotification(world, paid.svcUid, paid.merchantUid);
  expect(answer).toEqual({ status: 200, outcome: 'queued' });
  return paid;
}

const pauses = () => world.rows.query('select line from service_pauses order by line');

test('M9 before the time nothing is asked, and all is checked once it is over', async () => {
  const first = await askForPause({ 'retry-after': '60' });
  await world.rows.waitFor('select 1 from service_pauses');
  const second = await payOrder();
  const calls = await world.sandbox.allRequests();
  expect(await sendNotification(world, second.svcUid, second.merchantUid)).toEqual({
    status: 200,
    outcome: 'queued',
  });
  for (let elapsed = 0; elapsed < 55; elapsed += 5) await world.advance(5);
  await world.runEveryMinute();
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await notificationsOf(world, second.merchantUid)).toEqual([
    { outcome: 'queued', reason: 'rate_limited' },
  ]);
  expect(await world.rows.query('select distinct attempts from notifications')).toEqual([{ attempts: 0 }]);

  await world.advance(5);
  for (const { merchantUid } of [first, second]) expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('M9 another process on the same database makes no call either', async () => {
  const { svcUid, merchantUid } = await askForPause({ 'retry-after': '60' });
  await world.rows.waitFor('select 1 from service_pauses');
  const calls = await world.sandbox.allRequests();
  const other = openContext(world);
  try {
    expect(await syncPayment(other, { svcUid, merchantUid })).toMatchObject({
      outcome: 'queued',
      reason: 'rate_limited',
    });
    await expect(reconcile(other)).rejects.toMatchObject({ facts: { kind: 'rate_limited' } });
    expect(await world.sandbox.allRequests()).toBe(calls);
    world.clock.advance(60);
    expect(await syncPayment(other, { svcUid, merchantUid })).toMatchObject({ outcome: 'recorded' });
  } finally {
    await closeContext(other);
  }
});

test('M9 queries of the API are refused with the rest of the pause, and nothing is sent', async () => {
  await askForPause({ 'retry-after': '60' });
  world.clock.advance(20);
  const calls = await world.sandbox.allRequests();
  const response = await fetch(`${world.url}/api/payments?status=paid`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([503, 'service_unavailable']);
  expect(response.headers.get('retry-after')).toBe('40');
  expect(await world.sandbox.allRequests()).toBe(calls);
});

test('M9 what moves money goes out in a pause, and takes the same pause when it is asked to', async () => {
  const { customerUid: key } = await registerKey(world);
  await askForPause({ 'retry-after': '60' });
  const one = await registerOrder(world, newUid());
  const two = await registerOrder(world, newUid());
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  const answered = await charge(world, one, key);
  expect([answered.status, await world.sandbox.requests(CHARGE_KEY)]).toEqual([202, 1]);
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(fetches);

  const fault = { endpoint: CHARGE_KEY, kind: 'status', status: 429, headers: { 'retry-after': '60' } };
  await world.sandbox.fault(fault);
  expect((await charge(world, two, key)).status).toBe(503);
  expect((await charge(world, two, key)).status).toBe(503);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(2);
  expect(await pauses()).toEqual([{ line: 'legacy' }, { line: 'operations' }, { line: 'visitors' }]);
  await world.advance(60);
  expect((await charge(world, two, key)).status).toBe(200);
});

const inSeconds = (seconds: number) => new Date(world.clock.nowMs() + seconds * 1000).toUTCString();

test.each([
  ['in seconds', () => ({ 'retry-after': '30' }), 30],
  ['as a date', () => ({ date: inSeconds(0), 'retry-after': inSeconds(30) }), 30],
  ['longer than an hour', () => ({ 'retry-after': '86400' }), 3600],
  ['that is nonsense', () => ({ 'retry-after': 'soon' }), 5],
])('E21: a pause %s holds for its time, an hour at most', async (_, headers, seconds) => {
  const { merchantUid } = await askForPause(headers());
  const quiet = () => world.advance(seconds - 1);
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, quiet)).toBe(0);
  expect(await orderStatus(world, merchantUid)).toBe('open');
  await world.advance(10);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});
