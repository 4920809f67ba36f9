// /metrics shows what waits in the database, costs the database little, and answers in time without it.

import { closeContext, createContext, type Context } from '../../../src/merchant/context';
import { GAUGE_LABELS } from '../../../src/merchant/operations/gauges';
import { createGauges } from '../../../src/merchant/operations/read-gauges';
import { createReadiness } from '../../../src/merchant/readiness';
import { startContext, type RunningContext } from '../../support/context';
import { payForNobody } from '../../support/discrepancies';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS, LIST_PAYMENTS } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import { charge, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { runReconcileJob } from '../../support/reconciliation';
import { parseMetrics } from '../../support/scrapes';
import { startStatementProxy, type StatementProxy } from '../../support/statement-proxy';
import { startWorld, type World } from '../../support/world';

/** The values of `/metrics` by name and label, such as `merchant_jobs ready`. */
async function figuresOf({ url }: World): Promise<Record<string, number>> {
  const samples = parseMetrics(await (await fetch(`${url}/metrics`)).text());
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
  );
}

describe('of a server', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    // On a busy machine the first statements of a process may take longer than the two seconds of a reading.
    while ((await figuresOf(world))['merchant_gauges_up'] !== 1) world.clock.advance(6);
    world.clock.advance(6);
    world.log.clear();
  });
  afterEach(() => world.close());

  test('all gauges and counters are there while nothing waits, and all but those of the process are 0', async () => {
    const text = await (await fetch(`${world.url}/metrics`)).text();
    const named = [...text.matchAll(/^# TYPE (merchant_\w+) gauge$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(GAUGE_LABELS).sort());
    expect(text).toMatch(/^# TYPE merchant_notifications_total counter$/m);
    const figures = await figuresOf(world);
    const waiting = Object.entries(figures).filter(
      ([name, value]) => value !== 0 && !/_total|_up$|_ready$/.test(name),
    );
    expect(waiting).toEqual([]);
    expect(figures).toMatchObject({ merchant_gauges_up: 1, merchant_ready: 1 });
  });

  test('what waits is counted with its age, and is gone when it is settled', async () => {
    const key = await registerKey(world);
    const waits = await registerOrder(world);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 100 });
    const { svc_uid: svcUid } = await paySilently(world, waits);
    expect((await sendNotification(world, svcUid, waits)).outcome).toBe('queued');
    const lost = await registerOrder(world);
    await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
    await world.withoutNotifications(() => charge(world, lost, key.customerUid));
    await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 503, times: 100 });
    world.clock.advance(90);
    expect(await figuresOf(world)).toMatchObject({
      merchant_notifications_open: 1,
      merchant_notifications_oldest_unchecked_age_seconds: 90,
      'merchant_attempts_unresolved charge': 1,
      'merchant_attempts_unresolved refund': 0,
      'merchant_attempts_oldest_unresolved_age_seconds charge': 90,
      'merchant_attempts_needing_person charge': 0,
      // The notification's next attempt, a probe of the service, and a poll for the charge.
      'merchant_jobs ready': 3,
      'merchant_jobs locked': 0,
      'merchant_jobs failed': 0,
    });
    expect((await figuresOf(world))['merchant_jobs_oldest_due_age_seconds']).toBeGreaterThan(60);

    await world.sandbox.clearFaults();
    await world.advance(900);
    expect(await figuresOf(world)).toMatchObject({
      merchant_notifications_open: 0,
      merchant_notifications_oldest_unchecked_age_seconds: 0,
      'merchant_attempts_unresolved charge': 0,
      'merchant_attempts_oldest_unresolved_age_seconds charge': 0,
      'merchant_jobs ready': 0,
      merchant_jobs_oldest_due_age_seconds: 0,
    });
  });

  test('a notification for an order that nobody has registered is open, and not one that could not be checked', async () => {
    await payForNobody(world, 'nobody');
    world.clock.advance(60);
    expect(await figuresOf(world)).toMatchObject({
      merchant_notifications_open: 1,
      merchant_notifications_oldest_unchecked_age_seconds: 0,
      'merchant_discrepancies_open unknown_order': 1,
      'merchant_discrepancies_open amount_mismatch': 0,
    });
    await world.api('POST', '/api/discrepancies/1/resolve', { resolution: 'ignored', note: 'seen' });
    world.clock.advance(6);
    expect(await figuresOf(world)).toMatchObject({ 'merchant_discrepancies_open unknown_order': 0 });
  });

  test('an event is counted until it is delivered', async () => {
    const merchantUid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
    world.clock.advance(30);
    expect(await figuresOf(world)).toMatchObject({
      'merchant_events_undelivered unpublished': 1,
      'merchant_events_undelivered waiting': 0,
      merchant_events_oldest_undelivered_age_seconds: 30,
    });
    await world.runEveryMinute(6);
    expect(await figuresOf(world)).toMatchObject({
      'merchant_events_undelivered unpublished': 0,
      'merchant_events_undelivered waiting': 0,
      'merchant_events_undelivered given_up': 0,
      merchant_events_oldest_undelivered_age_seconds: 0,
    });
  });

  test('a reconciliation that ends says when, and one that is complete says so as well', async () => {
    const now = () => world.clock.nowMs() / 1000;
    const finished = 'merchant_reconciliation_last_finished_timestamp_seconds';
    const complete = 'merchant_reconciliation_last_complete_timestamp_seconds';
    await runReconcileJob(world);
    const first = now();
    expect(await figuresOf(world)).toMatchObject({ [finished]: first, [complete]: first });

    world.clock.advance(300);
    await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'status', status: 503, times: 100 });
    await runReconcileJob(world);
    expect(await figuresOf(world)).toMatchObject({ [finished]: now(), [complete]: first });

    await world.sandbox.clearFaults();
    world.clock.advance(300);
    await runReconcileJob(world);
    expect(await figuresOf(world)).toMatchObject({ [finished]: now(), [complete]: now() });
  });

  test('without the database the counters come, and the gauges are left out', async () => {
    await world.withoutDatabase(async () => {
      const begun = performance.now();
      const figures = await figuresOf(world);
      expect(performance.now() - begun).toBeLessThan(4_000);
      expect(figures).toMatchObject({
        merchant_gauges_up: 0,
        merchant_ready: 0,
        merchant_webhook_unlisted_sources_total: 0,
      });
      expect(Object.keys(figures)).not.toContain('merchant_notifications_open');
    });
    expect(world.log.events('gauges_not_read')).toMatchObject([
      { level: 40, err: { type: 'DatabaseError' } },
    ]);
    world.clock.advance(6);
    expect(await figuresOf(world)).toMatchObject({
      merchant_gauges_up: 1,
      merchant_ready: 1,
      merchant_notifications_open: 0,
    });
  });

  test('answers are counted by area and class of the status', async () => {
    await registerOrder(world);
    await fetch(`${world.url}/nothing`);
    await fetch(`${world.url}/api/orders`);
    await world.notify({}, { source: '203.0.113.7' });
    expect(await figuresOf(world)).toMatchObject({
      'merchant_http_responses_total api 2xx': 1,
      'merchant_http_responses_total api 4xx': 1,
      'merchant_http_responses_total pages 4xx': 1,
      'merchant_http_responses_total webhook 4xx': 1,
      'merchant_http_responses_total api 5xx': 0,
    });
  });
});

describe('and the database', () => {
  let running: RunningContext;
  let proxy: StatementProxy;
  let context: Context;
  let readGauges: () => Promise<string>;
  beforeEach(async () => {
    running = await startContext();
    proxy = await startStatementProxy(running.database.url);
    const { config, clock, logger } = running.context;
    context = createContext({ config: { ...config, databaseUrl: proxy.url }, clock, logger });
    readGauges = createGauges(context, createReadiness(context));
  });
  afterEach(async () => {
    await proxy.close();
    await closeContext(context);
    await running.close();
  });
  const statementsOf = async (act: () => Promise<unknown>): Promise<number> => {
    proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
    await act();
    return proxy.count();
  };

  test('a storm of requests costs one reading in five seconds', async () => {
    // The first one connects.
    await readGauges();
    running.clock.advance(6);
    const one = await statementsOf(readGauges);
    expect(one).toBeGreaterThan(0);
    running.clock.advance(6);
    const storm = () => Promise.all(Array.from({ length: 200 }, readGauges));
    expect(await statementsOf(storm)).toBe(one);
    running.clock.advance(4);
    expect(await statementsOf(storm)).toBe(0);
    running.clock.advance(2);
    expect(await statementsOf(readGauges)).toBe(one);
  });

  test('one that takes statements and never answers is waited for two seconds', async () => {
    await readGauges();
    running.clock.advance(6);
    proxy.stopAfter(1, () => undefined);
    const begun = performance.now();
    const text = await readGauges();
    expect(performance.now() - begun).toBeLessThan(3_500);
    expect(text).toMatch(/^merchant_gauges_up 0$/m);
    expect(text).not.toContain('merchant_notifications_open');
  });
});
