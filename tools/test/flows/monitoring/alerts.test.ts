// Each alert of deploy/monitoring/alerts.yaml fires in its incident, on the real /metrics, and none fires on a healthy server. The last
// test lists the alerts without an incident here.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../../../test/support/ask';
import { createMemberBrowser } from '../../../../test/support/browsers';
import { payForNobody, payTwice } from '../../../../test/support/discrepancies';
import { registerKey } from '../../../../test/support/keys';
import {
  charge,
  chargesOf,
  notifyMany,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../../../test/support/orders';
import {
  CHARGE_KEY,
  FETCH_PAYMENT,
  FIND_PAYMENTS,
  LIST_PAYMENTS,
  TOKEN,
} from '../../../../test/support/sandbox-controls';
import {
  EVENTS_SECRET,
  startEventsReceiver,
  type EventsReceiver,
} from '../../../../test/support/shop-events';
import { SCHEDULE, subscribe, withPlans } from '../../../../test/support/subscriptions';
import { startWorld, type World } from '../../../../test/support/world';
import { readAlertRules, scrape } from '../../../proof/alerts/scrapes';
import { watch, type Watch } from '../../../proof/alerts/watched-world';

let receiver: EventsReceiver;
let world: World;
let watched: Watch;

beforeAll(async () => {
  receiver = await startEventsReceiver();
});
beforeEach(async () => {
  world = await startWorld({
    environment: { ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET },
  });
  watched = watch(world);
  await pass(2);
});
afterEach(() => world.close());
afterAll(() => receiver.close());

/**
 * Like `watched.pass`; a long time passes in steps of two minutes. On a busy machine a reading may exceed its time limit, and is then
 * repeated.
 */
async function pass(minutes: number, options?: Parameters<Watch['pass']>[1]): Promise<void> {
  const step = minutes < 10 ? 1 : 2;
  for (let minute = 0; minute < minutes; minute += step) {
    await watched.pass(step, { step, ...options });
    const isUnread = () =>
      watched.scrapes.at(-1)?.samples.some(({ name, value }) => name === 'merchant_gauges_up' && value === 0);
    while (isUnread()) {
      world.clock.advance(6);
      watched.scrapes[watched.scrapes.length - 1] = await scrape(world.url, world.clock.nowMs() / 1000);
    }
  }
}

/** Ignores the load of this machine: the event loop has its own test. */
const firing = (of = watched) => of.firing().filter((alert) => alert !== 'MerchantEventLoopBlocked');

/** Exactly these fire now. */
const expectFiring = (...alerts: string[]) => expect(firing()).toEqual(alerts.sort());
/** This one fires now, whatever else does. */
const expectAmongFiring = (alert: string) => expect(firing()).toContain(alert);

const failAlways = (endpoint: string, fault: Record<string, unknown> = { kind: 'status', status: 503 }) =>
  world.sandbox.fault({ endpoint, times: 100_000, ...fault });

test('no alert fires on a healthy server in twenty minutes of work', async () => {
  const key = await registerKey(world);
  for (let round = 0; round < 6; round += 1) {
    const paid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
    const charged = await registerOrder(world);
    expect((await charge(world, charged, key.customerUid)).status).toBe(200);
    // The service is down for a moment, a card is declined, and an unknown row is requested.
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const late = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: late, amount: 1000 });
    await world.sandbox.pay({ merchant_uid: late, amount: 1000, outcome: 'failed' });
    expect((await world.api('GET', '/api/orders/nobody')).status).toBe(404);
    await watched.pass(4, { step: 2 });
    expect(await orderStatus(world, late)).toBe('paid');
    expectFiring();
  }
});

test('a forged amount and an order that is paid twice raise an alert at once', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid, { amount: 1 });
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('amount_mismatch');
  await pass(1);
  expectFiring('MerchantMoneyDiscrepancy');
  await world.api('POST', '/api/discrepancies/1/resolve', { resolution: 'ignored', note: 'seen' });
  await payTwice(world, 'paid-twice');
  await pass(1);
  expectFiring('MerchantMoneyDiscrepancy');
});

test('an unknown order raises an alert if it is not registered within a quarter of an hour', async () => {
  await payForNobody(world, 'nobody');
  await pass(14);
  expectFiring();
  await pass(3);
  expectFiring('MerchantDiscrepancyStays');
});

test('a charge whose answer was lost raises an alert while it is unresolved, and when it needs a person', async () => {
  const key = await registerKey(world);
  const merchantUid = await registerOrder(world);
  await world.rows.query('update orders set amount = 999 where merchant_uid = $1', [merchantUid]);
  await failAlways(FETCH_PAYMENT);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(() => charge(world, merchantUid, key.customerUid));
  await failAlways(FIND_PAYMENTS);
  world.clock.advance(1_800);
  await pass(1);
  expectAmongFiring('MerchantAttemptUnresolved');

  await world.rows.query('update orders set amount = 1000 where merchant_uid = $1', [merchantUid]);
  await world.sandbox.clearFaults();
  world.clock.advance(3_600);
  await pass(20);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'needs_review' }]);
  expectFiring('MerchantAttemptNeedsPerson', 'MerchantMoneyDiscrepancy');
});

test('a receiver of events that is down raises an alert after ten minutes, and when deliveries end', async () => {
  receiver.answerWith((response) => response.writeHead(503).end());
  try {
    const merchantUid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
    await pass(12);
    expectFiring('MerchantEventsUndelivered');
    for (let day = 0; day < 9; day += 1) {
      world.clock.advance(24 * 3600);
      await pass(1);
    }
    await pass(6);
    expectFiring('MerchantEventsGivenUp');
  } finally {
    receiver.answerWith((response) => response.writeHead(204).end());
  }
});

test('notifications that wait for the service raise an alert after five minutes', async () => {
  const merchantUid = await registerOrder(world);
  await failAlways(FETCH_PAYMENT);
  await failAlways(LIST_PAYMENTS);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  await pass(7);
  expectFiring('MerchantNotificationsWait', 'MerchantServiceCallsFail');
});

test('a reconciliation that does not finish raises an alert', async () => {
  await failAlways(LIST_PAYMENTS, { kind: 'status', status: 400 });
  await pass(23);
  expectFiring('MerchantReconciliationStale');
});

test('E10 a refused token call raises an alert', async () => {
  await world.restartMerchant();
  watched = watch(world);
  const body = { code: -1, message: 'no such key', response: null };
  await failAlways(TOKEN, { kind: 'status', status: 200, body });
  await pass(12);
  expectAmongFiring('MerchantServiceRefusesCredentials');
});

test('E2 a token that is refused repeatedly raises an alert', async () => {
  await failAlways(FETCH_PAYMENT, { kind: 'unauthorized' });
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  await pass(5);
  expectAmongFiring('MerchantServiceRefusesToken');
});

test('guesses of the API key and of the operators’ password, and unlisted addresses, raise an alert', async () => {
  const call = (headers: Record<string, string>) => ask(world.url, 'GET', '/api/orders', { headers });
  for (let time = 0; time < 12; time += 1) expect((await call({})).status).toBe(401);
  await pass(1);
  // A call without a key does not count as a guess.
  expectFiring();
  for (let time = 0; time < 12; time += 1) await call({ authorization: 'Bearer a-wrong-key-0123' });
  const stranger = createMemberBrowser(world);
  for (let time = 0; time < 12; time += 1)
    await stranger.post('/operator/sign-in', { by: 'kim', password: 'not-the-password' });
  for (let post = 0; post < 5; post += 1)
    expect((await world.notify({}, { source: '203.0.113.7' })).status).toBe(403);
  await pass(1);
  expectFiring('MerchantApiKeyGuesses', 'MerchantOperatorGuesses', 'MerchantUnlistedSources');
});

test('invented orders from a listed address raise an alert, and are fetched at a limited rate', async () => {
  const invented = Array.from({ length: 110 }, (_, number) => ({
    svcUid: `svc_invented_${number}`,
    merchantUid: `invented-${number}`,
  }));
  const fetches = await world.sandbox.requestsDuring(FETCH_PAYMENT, () => notifyMany(world, invented));
  expect(fetches).toBe(100);
  await pass(1);
  expectFiring('MerchantNotificationsPaced');
});

test('a permanently failed job, and jobs that no process runs, raise an alert', async () => {
  await world.rows.query(`select graphile_worker.add_job('recover-charge', '{}', max_attempts := 1)`);
  await pass(1);
  expectFiring('MerchantJobsFailed');
  const merchantUid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await pass(7, { withoutJobs: true });
  expectFiring('MerchantJobsFailed', 'MerchantJobsLate');
});

withPlans(
  'subscriptions that need a person, and subscriptions that are overdue, raise an alert',
  async () => {
    const body = { code: 1, message: 'This card cannot be scheduled.', response: null };
    await failAlways(SCHEDULE, { kind: 'status', status: 200, body });
    await subscribe(world, await registerKey(world));
    await pass(1);
    expectFiring('MerchantSubscriptionsNeedPerson');
    world.clock.advance(3_600);
    await pass(17, { withoutJobs: true });
    expectAmongFiring('MerchantSubscriptionsOverdue');
  },
);

test('F9 a read-only database raises an alert by the 5xx of the webhook', async () => {
  await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-x' });
  await pass(1);
  await world.rows.query(
    `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
  );
  await world.withoutDatabase(() => Promise.resolve());
  for (let minute = 0; minute < 4; minute += 1) {
    expect((await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-x' })).status).toBe(503);
    await pass(1, { withoutJobs: true });
  }
  expectAmongFiring('MerchantAnswersErrors');
});

test('a database or a process that is down raises an alert', async () => {
  await world.withoutDatabase(() => watched.pass(4, { withoutJobs: true }));
  expectFiring('MerchantDatabaseNotRead', 'MerchantNotReady');
  await pass(2);
  expectFiring();

  const { url } = world;
  world.url = 'http://127.0.0.1:1';
  await pass(2, { withoutJobs: true });
  world.url = url;
  expectFiring('MerchantDown');
});

test('every alert has an incident in which it fires, here, in card-form/ or in tools/test/processes/event-loop.test.ts', () => {
  const others = ['card-form/alerts.test.ts', '../../processes/event-loop.test.ts'];
  const incidents = [__filename, ...others.map((name) => join(__dirname, name))];
  const source = incidents.map((file) => readFileSync(file, 'utf8')).join();
  const missing = readAlertRules().filter(({ alert }) => !source.includes(`'${alert}'`));
  expect(missing).toEqual([]);
});
