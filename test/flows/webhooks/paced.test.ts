// Somebody at a listed address invents ids. All is stored and answered, the service is asked at a set rate, and genuine
// notifications are not behind the invented ones.

import { metric } from '../../support/card-attempts';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { notifyMany, storedOutcomes } from '../../support/notification-burst';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useFreshWorld } from '../../support/use-world';
import { TEST_BUTTON_ADDRESS } from '../../support/world';

const world = useFreshWorld();

const AT_ONCE = 100;
const PER_SECOND = 20;
const invented = (count: number, name = 'invented') =>
  Array.from({ length: count }, (_, n) => ({ svcUid: `svc_${name}_${n}`, merchantUid: `${name}-${n}` }));
const fetches = () => world.sandbox.requests(FETCH_PAYMENT);

test('M36 invented ids are stored and answered, and fetched at a set rate', async () => {
  expect(await notifyMany(world, invented(400))).toEqual({ unknown_payment: AT_ONCE, queued: 300 });
  expect(await fetches()).toBe(AT_ONCE);
  expect(await storedOutcomes(world)).toEqual({ unknown_payment: AT_ONCE, 'queued:paced': 300 });
  expect(
    await world.rows.query(`select distinct attempts from notifications where reason = 'paced'`),
  ).toEqual([{ attempts: 0 }]);
  expect(world.log.events('notifications_paced')).toHaveLength(1);
  expect(await metric(world, 'merchant_notifications_paced_total')).toBe(300);

  for (let second = 1; second <= 20; second += 1) {
    await world.advance(1);
    expect(await fetches()).toBeLessThanOrEqual(AT_ONCE + second * PER_SECOND);
  }
  const checked = await world.rows.query('select from notifications where attempts > 0');
  expect(checked.length).toBeGreaterThan(AT_ONCE + 5 * PER_SECOND);
});

test('M36 genuine notifications are not behind them, also where they are retried', async () => {
  await notifyMany(world, invented(300));
  const now = await registerOrder(world, newUid());
  const paidNow = await paySilently(world, now);
  expect(await sendNotification(world, paidNow.svc_uid, now)).toEqual({ status: 200, outcome: 'recorded' });

  const later = await registerOrder(world, newUid());
  const paidLater = await paySilently(world, later);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 500 });
  expect((await sendNotification(world, paidLater.svc_uid, later)).outcome).toBe('queued');
  await world.advance(2);
  expect(await orderStatus(world, later)).toBe('paid');
  expect((await storedOutcomes(world))['queued:paced']).toBeGreaterThan(100);
});

test('M36 a notification that was paced is recorded when its order is there', async () => {
  await notifyMany(world, invented(AT_ONCE));
  const merchantUid = newUid();
  const { svc_uid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svc_uid, merchantUid)).outcome).toBe('queued');
  await registerOrder(world, merchantUid);
  await world.advance(2);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('M36 invented payments of one order that is known are fetched at a set rate, and its own payment is recorded', async () => {
  const merchantUid = await registerOrder(world, newUid());
  const ids = invented(60).map(({ svcUid }) => ({ svcUid, merchantUid }));
  expect(await notifyMany(world, ids)).toEqual({ unknown_payment: 30, queued: 30 });
  expect(await fetches()).toBe(30);
  const { svc_uid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svc_uid, merchantUid)).outcome).toBe('queued');
  // The invented ones are tried again as well, at growing gaps, and some of them may come before it each time.
  for (let minute = 0; minute < 10 && (await orderStatus(world, merchantUid)) !== 'paid'; minute += 1)
    await world.advance(60);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('M36 the address of the test button is held to the same rate', async () => {
  await notifyMany(world, invented(AT_ONCE));
  const body = { svc_uid: 'svc_button', merchant_uid: 'button', status: 'ready' };
  expect((await world.notify(body, { source: TEST_BUTTON_ADDRESS })).outcome).toBe('queued');
  expect(await fetches()).toBe(AT_ONCE);
  await world.advance(5);
  expect(await world.rows.query(`select outcome from notifications where merchant_uid = 'button'`)).toEqual([
    { outcome: 'test' },
  ]);
});
