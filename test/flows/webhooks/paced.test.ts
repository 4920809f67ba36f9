// A listed address sends invented ids, or the service's test button sends genuine ones (rows K7, M23 and M36 of docs/13-faults.md).
// All notifications are stored and answered, the service is called at a limited rate, and genuine notifications are neither delayed
// nor closed by invented ones. A flood from other addresses is refused (row K8).

import { metric } from '../../support/metrics';
import {
  notifyMany,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
  storedOutcomes,
} from '../../support/orders';
import { sendBytes } from '../../support/raw-http';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useFreshWorld } from '../../support/use-world';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS } from '../../support/world';
import { payOrder, QUEUED, RECORDED } from './setup';

const world = useFreshWorld();

const AT_ONCE = 100;
const PER_SECOND = 20;
/** As many connections as a peer may hold. */
const CONNECTIONS = 40;
/** Each connection is used again, so that a refused request has to free its own. */
const SENT = 3 * CONNECTIONS;
/** Uses up the limit. What the test button has sent is fetched once and not tried again. */
async function useUpLimit(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => pressButton(`svc_button_${n}`, `button-${n}`)),
  );
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['test']));
}
const invented = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ svcUid: `svc_invented_${n}`, merchantUid: `invented-${n}` }));
const PAID = { status: 'paid' };
const fetches = () => world.sandbox.requests(FETCH_PAYMENT);
const NO = { code: -1, message: 'no', response: null };
const failFetches = (status: number, times = 1) =>
  world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status, body: NO, times });
const pressButton = (svc_uid: string, merchant_uid: string) =>
  world.notify({ svc_uid, merchant_uid, status: 'paid' }, { source: TEST_BUTTON_ADDRESS });

test('K7, M36 notifications with random ids are stored, answered and fetched at a limited rate, with one warning', async () => {
  const money = await world.rows.money();
  const queued = 30;
  // Counted by outcome: a 429 or a foreign answer has no such outcome.
  expect(await notifyMany(world, invented(AT_ONCE + queued))).toEqual({ unknown_payment: AT_ONCE, queued });
  expect(await fetches()).toBe(AT_ONCE);
  expect(await storedOutcomes(world)).toEqual({ unknown_payment: AT_ONCE, 'queued:paced': queued });
  expect(await world.rows.money()).toBe(money);
  expect(world.log.events('notifications_paced')).toHaveLength(1);
  expect(await metric(world, 'merchant_notifications_paced_total')).toBe(queued);
  const tried = `select from notifications where reason = 'paced' and attempts > 0`;
  expect(await world.rows.query(tried)).toEqual([]);
  const left = () => world.rows.query('select from notifications where attempts = 0');
  for (let second = 1; second <= 30 && (await left()).length > 0; second += 1) {
    await world.advance(1);
    expect(await fetches()).toBeLessThanOrEqual(AT_ONCE + second * PER_SECOND);
  }
  expect(await left()).toEqual([]);
});

test('M36 genuine notifications do not wait behind invented ones, also in a retry', async () => {
  await useUpLimit();
  expect(await notifyMany(world, invented(60))).toEqual({ queued: 60 });
  expect(await (await payOrder(world)).notify()).toEqual(RECORDED);
  const later = await payOrder(world);
  await failFetches(500);
  expect(await later.notify()).toEqual(QUEUED);
  await world.advance(2);
  expect(await later.order()).toMatchObject(PAID);
  expect((await storedOutcomes(world))['queued:paced']).toBeGreaterThan(0);
});

test('M36 a paced notification is recorded when its order is registered, and the address of the test button has the same limit', async () => {
  await useUpLimit();
  expect((await pressButton('svc_button', 'button')).outcome).toBe('queued');
  const { svc_uid } = await paySilently(world, 'soon');
  expect((await sendNotification(world, svc_uid, 'soon')).outcome).toBe('queued');
  expect(await fetches()).toBe(AT_ONCE);
  await registerOrder(world, 'soon');
  await world.advance(4);
  expect(await orderStatus(world, 'soon')).toBe('paid');
  await world.advance(5);
  expect(await stored(`where merchant_uid = 'button'`)).toMatchObject([{ outcome: 'test' }]);
});

test('M36 invented payments of a known order are fetched at a limited rate, and its real payment is recorded', async () => {
  const { merchantUid, notify, order } = await payOrder(world);
  const ids = invented(40).map(({ svcUid }) => ({ svcUid, merchantUid }));
  expect(await notifyMany(world, ids)).toEqual({ unknown_payment: 30, queued: 10 });
  expect(await fetches()).toBe(30);
  expect(await notify()).toEqual(QUEUED);
  // The invented ones are retried too, at growing gaps, and some may be checked before it each time.
  for (let minute = 0; minute < 10 && (await order()).status !== 'paid'; minute += 1) await world.advance(60);
  expect(await order()).toMatchObject(PAID);
});

const stored = (where = '') =>
  world.rows.query(
    `select host(source_address::inet) as source, outcome, next_attempt_at is not null as open
     from notifications ${where} order by id`,
  );
const genuine = (outcome: string, open: boolean) => ({ source: SERVICE_ADDRESS, outcome, open });
const ofTheButton = (outcome: string, open: boolean) => ({ source: TEST_BUTTON_ADDRESS, outcome, open });

test('M23 the test button does not end the retries of a genuine notification with the same ids', async () => {
  const { svcUid, merchantUid, notify, order } = await payOrder(world);
  await failFetches(404, 1000);
  expect((await notify()).outcome).toBe('unknown_payment');
  expect(await pressButton(svcUid, merchantUid)).toEqual({ status: 200, outcome: 'test' });
  expect(await stored()).toEqual([genuine('unknown_payment', true), ofTheButton('test', false)]);
  await world.sandbox.clearFaults();
  await world.advance(5);
  expect(await order()).toMatchObject(PAID);
});

test('M23 a shared check of a test and a genuine notification does not end as a test, and is retried', async () => {
  const { svcUid, merchantUid, notify, order } = await payOrder(world);
  await failFetches(503, 1000);
  expect(await notify()).toEqual(QUEUED);
  expect((await pressButton(svcUid, merchantUid)).outcome).toBe('queued');
  await world.sandbox.clearFaults();
  await failFetches(404, 1000);
  await world.advance(2);
  expect(await stored()).toEqual([genuine('unknown_payment', true), ofTheButton('unknown_payment', true)]);
  expect(await order()).toMatchObject({ status: 'open' });
  await world.sandbox.clearFaults();
  await world.advance(20);
  expect(await order()).toMatchObject(PAID);
  expect(await stored()).toEqual([genuine('recorded', false), ofTheButton('recorded', false)]);
});

test('K8 requests from unlisted addresses get a 403 although their bodies never arrive and the database is down', async () => {
  const head =
    'POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n' +
    'Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n';
  const answers: string[] = [];
  const sendOneByOne = async () => {
    for (let sent = 0; sent < SENT / CONNECTIONS; sent += 1) answers.push(await sendBytes(world.url, head));
  };
  await world.withoutDatabase(() => Promise.all(Array.from({ length: CONNECTIONS }, sendOneByOne)));
  expect(answers).toHaveLength(SENT);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 403 Forbidden']));
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(SENT);
  expect(await world.sandbox.allRequests()).toBe(0);
  expect(await world.rows.query('select from notifications')).toEqual([]);
});
