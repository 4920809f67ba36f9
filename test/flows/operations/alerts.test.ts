// Each alert of monitoring/alerts.yaml fires in its incident, on what /metrics really shows in it, and none fires on a
// server that is well. The last test says which alert has not fired.

import { CARD_LIMITS } from '../../../src/merchant/card-limits';
import { createMetrics } from '../../../src/merchant/metrics';
import { attemptDeclined } from '../../support/card-attempts';
import { payForNobody, payTwice } from '../../support/discrepancies';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS, LIST_PAYMENTS, TOKEN } from '../../support/endpoints';
import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from '../../support/events-receiver';
import { createMemberBrowser } from '../../support/member-browser';
import { registerKey } from '../../support/member-cards';
import {
  charge,
  chargesOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { firingAlerts, parseMetrics, readAlertRules } from '../../support/scrapes';
import { subscribe } from '../../support/subscriptions';
import { watch, type Watch } from '../../support/watched-world';
import { startWorld, type World } from '../../support/world';

let receiver: EventsReceiver;
let world: World;
let watched: Watch;
const fired = new Set<string>();

beforeAll(async () => {
  receiver = await startEventsReceiver();
});
beforeEach(async () => {
  world = await startWorld({
    environment: { ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET },
  });
  watched = watch(world);
  await watched.pass(2);
});
afterEach(async () => {
  await world.close();
});
afterAll(() => receiver.close());

/** Exactly these fire now. */
function expectFiring(...alerts: string[]): void {
  expect(watched.firing()).toEqual(alerts.sort());
  for (const alert of alerts) fired.add(alert);
}

const failAlways = (endpoint: string, fault: Record<string, unknown> = { kind: 'status', status: 503 }) =>
  world.sandbox.fault({ endpoint, times: 100_000, ...fault });

test('nothing fires on a server that is well, in twenty minutes of work', async () => {
  const key = await registerKey(world);
  for (let round = 0; round < 11; round += 1) {
    const paid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
    const charged = await registerOrder(world);
    expect((await charge(world, charged, key.customerUid)).status).toBe(200);
    // The service is away for a moment, a card is declined, and somebody asks for what is not there.
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const late = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: late, amount: 1000 });
    await world.sandbox.pay({ merchant_uid: late, amount: 1000, outcome: 'failed' });
    expect((await world.api('GET', '/api/orders/nobody')).status).toBe(404);
    await watched.pass(2);
    expect(await orderStatus(world, late)).toBe('paid');
    expectFiring();
  }
});

test('a forged amount wants a person at once', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid, { amount: 1 });
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('amount_mismatch');
  await watched.pass(1);
  expectFiring('MerchantMoneyDiscrepancy');
  await world.api('POST', '/api/discrepancies/1/resolve', { resolution: 'ignored', note: 'seen' });
  await watched.pass(1);
  expectFiring();
});

test('an order that is paid twice wants a person at once', async () => {
  await payTwice(world, 'paid-twice');
  await watched.pass(1);
  expectFiring('MerchantMoneyDiscrepancy');
});

test('an unknown order wants a person when nobody has registered it in a quarter of an hour', async () => {
  await payForNobody(world, 'nobody');
  await watched.pass(14);
  expectFiring();
  await watched.pass(3);
  expectFiring('MerchantDiscrepancyStays');
});

test('a charge whose answer was lost is told of while it is unresolved, and when it needs a person', async () => {
  const key = await registerKey(world);
  const merchantUid = await registerOrder(world);
  await world.rows.query('update orders set amount = 999 where merchant_uid = $1', [merchantUid]);
  await failAlways(FETCH_PAYMENT);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  expect((await world.withoutNotifications(() => charge(world, merchantUid, key.customerUid))).status).toBe(
    202,
  );
  await failAlways(FIND_PAYMENTS);
  world.clock.advance(1_800);
  await watched.pass(1);
  expect(watched.firing()).toContain('MerchantAttemptUnresolved');
  fired.add('MerchantAttemptUnresolved');

  await world.rows.query('update orders set amount = 1000 where merchant_uid = $1', [merchantUid]);
  await world.sandbox.clearFaults();
  world.clock.advance(3_600);
  await watched.pass(20);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'needs_review' }]);
  expectFiring('MerchantAttemptNeedsPerson', 'MerchantMoneyDiscrepancy');
});

test('a receiver of events that is down is told of after ten minutes, and when it is given up', async () => {
  receiver.answerWith((response) => response.writeHead(503).end());
  try {
    const merchantUid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
    await watched.pass(9);
    expectFiring();
    await watched.pass(3);
    expectFiring('MerchantEventsUndelivered');
    for (let day = 0; day < 9; day += 1) {
      world.clock.advance(24 * 3600);
      await watched.pass(1);
    }
    await watched.pass(6);
    expectFiring('MerchantEventsGivenUp');
  } finally {
    receiver.answerWith((response) => response.writeHead(204).end());
  }
});

test('notifications that wait because the service is away are told of after five minutes', async () => {
  const merchantUid = await registerOrder(world);
  await failAlways(FETCH_PAYMENT);
  await failAlways(LIST_PAYMENTS);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  await watched.pass(4);
  expect(watched.firing()).not.toContain('MerchantNotificationsWait');
  await watched.pass(3);
  expectFiring('MerchantNotificationsWait', 'MerchantServiceCallsFail');

  await world.sandbox.clearFaults();
  await watched.pass(16);
  expectFiring();
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('a reconciliation that does not come to its end is told of', async () => {
  await failAlways(LIST_PAYMENTS, { kind: 'status', status: 400 });
  await watched.pass(15);
  expectFiring();
  await watched.pass(8);
  expectFiring('MerchantReconciliationStale');
  const last = watched.scrapes.at(-1)?.samples ?? [];
  const at = (name: string) =>
    last.find((each) => each.name === `merchant_reconciliation_last_${name}_timestamp_seconds`);
  expect(at('finished')?.value).toBeGreaterThan((at('complete')?.value ?? Infinity) + 900);
});

test('E10 a refused token call is told of', async () => {
  await world.restartMerchant();
  watched = watch(world);
  await failAlways(TOKEN, {
    kind: 'status',
    status: 200,
    body: { code: -1, message: 'no such key', response: null },
  });
  await watched.pass(12);
  expect(watched.firing()).toContain('MerchantServiceRefusesCredentials');
  fired.add('MerchantServiceRefusesCredentials');
});

test('E2 a token that is refused again and again is told of', async () => {
  await failAlways(FETCH_PAYMENT, { kind: 'unauthorized' });
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  await watched.pass(5);
  expect(watched.firing()).toContain('MerchantServiceRefusesToken');
  fired.add('MerchantServiceRefusesToken');
});

test('addresses that are not listed are told of', async () => {
  for (let post = 0; post < 5; post += 1)
    expect((await world.notify({}, { source: '203.0.113.7' })).status).toBe(403);
  await watched.pass(1);
  expectFiring('MerchantUnlistedSources');
});

test('guesses of the API key are told of, and calls without one are not', async () => {
  const call = (headers: Record<string, string>) => fetch(`${world.url}/api/orders`, { headers });
  for (let time = 0; time < 12; time += 1) expect((await call({})).status).toBe(401);
  await watched.pass(1);
  expectFiring();
  for (let time = 0; time < 12; time += 1) await call({ authorization: 'Bearer a-wrong-key-0123' });
  await watched.pass(1);
  expectFiring('MerchantApiKeyGuesses');
});

test('guesses of the password of the operator pages are told of', async () => {
  const stranger = createMemberBrowser(world);
  for (let time = 0; time < 12; time += 1)
    await stranger.post('/operator/sign-in', { by: 'kim', password: 'not-the-password' });
  await watched.pass(1);
  expectFiring('MerchantOperatorGuesses');
});

test('invented orders from a listed address are told of, and the service is asked about some of them', async () => {
  const fetches = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    for (let number = 0; number < 110; number += 1)
      await sendNotification(world, `svc_invented_${number}`, `invented-${number}`);
  });
  expect(fetches).toBe(100);
  await watched.pass(1);
  expectFiring('MerchantNotificationsPaced');
});

test('jobs that nobody runs are told of, and subscriptions that stand still for it', async () => {
  const key = await registerKey(world);
  await subscribe(world, key);
  const merchantUid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await watched.pass(7, { withoutJobs: true });
  expectFiring('MerchantJobsLate');
  world.clock.advance(3_600);
  await watched.pass(17, { withoutJobs: true });
  expect(watched.firing()).toContain('MerchantSubscriptionsOverdue');
  fired.add('MerchantSubscriptionsOverdue');
});

test('a job that has failed for good is told of', async () => {
  await world.rows.query(`select graphile_worker.add_job('recover-attempt', '{}', max_attempts := 1)`);
  await watched.pass(1);
  expectFiring('MerchantJobsFailed');
});

test('F9 a database that is read-only is told of by the 5xx of the webhook, while it can be read', async () => {
  const readOnly = (value: string) =>
    world.rows.query(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
    );
  await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-x' });
  await watched.pass(1);
  await readOnly('on');
  await world.withoutDatabase(() => Promise.resolve());
  for (let minute = 0; minute < 4; minute += 1) {
    expect((await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-x' })).status).toBe(503);
    await watched.pass(1, { withoutJobs: true });
  }
  expect(watched.firing()).toContain('MerchantAnswersErrors');
  fired.add('MerchantAnswersErrors');
});

test('a database that is away is told of, and a process that is down', async () => {
  await world.withoutDatabase(() => watched.pass(4, { withoutJobs: true }));
  expectFiring('MerchantDatabaseNotRead', 'MerchantNotReady');
  await watched.pass(2);
  expectFiring();

  const { url } = world;
  world.url = 'http://127.0.0.1:1';
  await watched.pass(2, { withoutJobs: true });
  world.url = url;
  expectFiring('MerchantDown');
});

test('a wave of declined cards is told of', async () => {
  const everybody = [{ attempts: 30, seconds: 3600 }];
  const declines = { ...CARD_LIMITS.declines, everybody };
  const limited = await startWorld({ cardLimits: { ...CARD_LIMITS, declines } });
  try {
    const limitedWatch = watch(limited);
    await limitedWatch.pass(1);
    for (let host = 1; host <= 20; host += 1) await attemptDeclined(limited, `198.51.100.${host}`);
    await limitedWatch.pass(1);
    expect(limitedWatch.firing()).toEqual(['MerchantCardsTested']);
    for (let card = 0; card < 11; card += 1) await attemptDeclined(limited);
    await limitedWatch.pass(1);
    expect(limitedWatch.firing().sort()).toEqual(['MerchantCardFormClosed', 'MerchantCardsTested']);
    for (const alert of ['MerchantCardsTested', 'MerchantCardFormClosed']) fired.add(alert);
  } finally {
    await limited.close();
  }
});

test('G13 an event loop that stands still is told of', async () => {
  const metrics = createMetrics();
  metrics.observeProcess();
  const scraped = async (at: number) => {
    const samples = parseMetrics(await metrics.registry.metrics());
    // A scrape begins the measurement anew, and the first turn of the loop after it does not count.
    await turnsOfTheLoop();
    return { at, samples };
  };
  await scraped(0);
  const calm = await scraped(60);
  expect(firingAlerts([calm])).toEqual([]);
  const end = performance.now() + 2_200;
  while (performance.now() < end);
  await turnsOfTheLoop();
  expect(firingAlerts([calm, await scraped(120)])).toEqual(['MerchantEventLoopBlocked']);
  fired.add('MerchantEventLoopBlocked');
});

/** Real time: the loop is measured by the host's clock. */
const turnsOfTheLoop = () => new Promise((resolve) => setTimeout(resolve, 50));

test('every alert has fired in one of the incidents above', () => {
  const missing = readAlertRules().flatMap(({ alert }) => (fired.has(alert) ? [] : [alert]));
  expect(missing).toEqual([]);
});
