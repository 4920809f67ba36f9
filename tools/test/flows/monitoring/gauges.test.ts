// /metrics shows the open rows of the database, and does not wait for the query.

import { createGauges, gaugesText } from '../../../../src/merchant/options/monitoring/gauges';
import { closeContext, type Context } from '../../../../src/merchant/platform/context';
import { readFigures } from '../../../../src/merchant/platform/gauge-store';
import { readJobFigures } from '../../../../src/merchant/platform/job-store';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { openContext } from '../../../../test/support/beside-world';
import { payForNobody } from '../../../../test/support/discrepancies';
import { registerKey } from '../../../../test/support/keys';
import { charge, paySilently, registerOrder, sendNotification } from '../../../../test/support/orders';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../../../test/support/sandbox-controls';
import { useFreshWorld } from '../../../../test/support/use-world';
import { parseMetrics } from '../../../proof/alerts/scrapes';

/** Values by name and label, such as `merchant_jobs ready`. */
const figuresIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    parseMetrics(text).map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
  );

/** Of the database, and not 0. */
const waitingIn = (figures: Record<string, number>) =>
  Object.entries(figures).filter(
    ([name, value]) => value !== 0 && name.startsWith('merchant_') && !/_total|_up$|_ready$/.test(name),
  );

const world = useFreshWorld();

/** The gauges of the database, read until they are complete, because a scrape waits at most two seconds. */
async function figuresOf(): Promise<Record<string, number>> {
  const context = openContext(world);
  try {
    const now = world.clock.now();
    const jobs = await readJobFigures(context, now);
    const reading = { figures: await readFigures(context), jobs, now };
    return figuresIn(await gaugesText(context.features, reading, true));
  } finally {
    await closeContext(context);
  }
}

test('open rows are counted with their age, and resolved ones are not', async () => {
  const key = await registerKey(world);
  const paid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  // It was checked: its order is not registered.
  await payForNobody(world, 'nobody');
  world.clock.advance(30);
  const waits = await registerOrder(world);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 100 });
  const { svc_uid: svcUid } = await paySilently(world, waits);
  expect((await sendNotification(world, svcUid, waits)).outcome).toBe('queued');
  const lost = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(() => charge(world, lost, key.customerUid));
  await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 503, times: 100 });
  world.clock.advance(90);
  const figures = await figuresOf();
  expect(figures).toMatchObject({
    merchant_notifications_open: 2,
    merchant_notifications_oldest_unchecked_age_seconds: 90,
    'merchant_discrepancies_open unknown_order': 1,
    'merchant_discrepancies_open amount_mismatch': 0,
    'merchant_attempts_unresolved charge': 1,
    'merchant_attempts_oldest_unresolved_age_seconds charge': 90,
    'merchant_events_undelivered unpublished': 2,
    merchant_events_oldest_undelivered_age_seconds: 120,
    'merchant_jobs failed': 0,
  });
  expect(figures['merchant_jobs ready']).toBeGreaterThan(2);
  expect(figures['merchant_jobs_oldest_due_age_seconds']).toBeGreaterThan(60);

  await world.sandbox.clearFaults();
  await registerOrder(world, 'nobody');
  await world.advance(900);
  expect(waitingIn(await figuresOf())).toEqual([]);
});

test('gauges do not wait for a database that never answers', async () => {
  const context = openContext(world);
  const never = { value: () => new Promise<never>(() => undefined) };
  const database = Object.create(context.database, { $transaction: never }) as Context['database'];
  const text = await createGauges({ ...context, database }, createReadiness(context))();
  expect(text).toMatch(/^merchant_gauges_up 0$/m);
  expect(text).not.toContain('merchant_notifications_open');
  // The reading itself has not ended: it would have logged its end.
  expect(world.log.events('gauges_not_read')).toEqual([]);
  await closeContext(context);
});
