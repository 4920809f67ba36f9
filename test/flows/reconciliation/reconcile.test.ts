// Reconciliation finds every payment whose notification was lost or never sent (§4.5, §6.1, §6.3, §6.5). Differences that cannot be
// repaired are kept, and a failing service is not called needlessly.

import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { closeContext } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { CARD_INPUT } from '../../support/cards';
import { metric } from '../../support/metrics';
import {
  discrepanciesOf,
  expectRefused,
  orderStatus,
  paySilently,
  registerOrders,
  sendNotification,
} from '../../support/orders';
import { resetWorld, runReconcileJob } from '../../support/reconciliation';
import { FETCH_PAYMENT, LIST_PAYMENTS } from '../../support/sandbox-controls';
import { useContext, useWorld } from '../../support/use-world';

const DAY = 86_400;
const world = useWorld();
const context = useContext(world);
beforeEach(() => resetWorld(world));

const fetches = () => world.sandbox.requests(FETCH_PAYMENT);
const statusesOf = (...uids: string[]) => Promise.all(uids.map((uid) => orderStatus(world, uid)));
/** A charge that was scheduled a day before and executed without a notification. */
async function executeSchedule(merchantUid: string) {
  const scheduleAt = new Date(+world.clock.now() + DAY * 1000);
  const schedule = { merchantUid, amount: 1000, scheduleAt, name: 'Tea' };
  await context.service.issueBillingKey('key-1', CARD_INPUT);
  await context.service.schedulePayments('key-1', [schedule]);
  await world.withoutNotifications(() => world.sandbox.advance(2 * DAY));
}

test('a payment whose notification the buyer redirected (notice_url) is recorded by the next reconciliation (C26)', async () => {
  // Its counters begin at 0.
  await world.restartMerchant();
  await registerOrders(world, ['elsewhere']);
  const sentElsewhere = { notice_url: 'http://127.0.0.1:9/mine' };
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'elsewhere', amount: 1000, ...sentElsewhere });
  expect(await orderStatus(world, 'elsewhere')).toBe('open');
  await runReconcileJob(world);
  expect(await orderStatus(world, 'elsewhere')).toBe('paid');
  expect(world.log.events('payment_repaired')).toMatchObject([
    { list: 'paid', svc_uid, merchant_uid: 'elsewhere' },
  ]);
  expect(await metric(world, 'merchant_reconciliation_repaired_total{list="paid"}')).toBe(1);
  expect(await metric(world, 'merchant_reconciliations_total{result="complete"}')).toBe(1);
});

test('payments without a notification are found: a failed one, a virtual account, a schedule, a cancellation through the API', async () => {
  const uids = ['failed', 'account', 'monthly', 'refund'];
  await registerOrders(world, uids);
  await executeSchedule('monthly');
  await paySilently(world, 'failed', { outcome: 'failed' });
  await paySilently(world, 'account', { outcome: 'virtual_account' });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'refund', amount: 1000 });
  await context.service.cancelPayment({ svcUid, amount: 400, reason: 'one of two' });
  expect(await statusesOf(...uids)).toEqual(['open', 'open', 'open', 'paid']);
  const found = await reconcile(context);
  expect(found?.lists.schedules).toMatchObject({ seen: 1, matched: 1 });
  expect(await statusesOf(...uids)).toEqual(['failed', 'awaiting_deposit', 'paid', 'partially_cancelled']);

  // Without differences a reconciliation fetches no payment and changes no row.
  const before = await world.rows.money();
  const asked = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    const inStep = await reconcile(context, { ninetyDays: true });
    expect(inStep?.lists.ready).toMatchObject({ seen: 1, matched: 1, stoppedBy: null });
    expect(inStep?.repaired).toEqual([]);
  });
  expect(asked).toBe(0);
  expect(await world.rows.money()).toBe(before);
});

test('a dry run reports exactly what a real run does, for each list, and writes nothing', async () => {
  await registerOrders(world, ['lost', 'dear', 'account', 'refund', 'monthly']);
  await paySilently(world, 'nobody');
  await paySilently(world, 'late-order');
  await reconcile(context);
  // What an earlier run could not repair: its order is there now.
  await registerOrders(world, ['late-order']);
  await paySilently(world, 'lost');
  await paySilently(world, 'dear', { amount: 1 });
  await paySilently(world, 'account', { outcome: 'virtual_account' });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'refund', amount: 1000 });
  await context.service.cancelPayment({ svcUid, amount: 400, reason: 'one of two' });
  await executeSchedule('monthly');

  for (const stored of [5, 0]) {
    const before = await world.rows.books();
    const dry = promised(await reconcile(context, { ninetyDays: true, dryRun: true }));
    expect(await world.rows.books()).toBe(before);
    expect(promised(await reconcile(context, { ninetyDays: true }))).toEqual(dry);
    expect(dry.stored).toHaveLength(stored);
  }
});

/** The result of each list, of a real run or a dry run. */
function promised(report: Awaited<ReturnType<typeof reconcile>>) {
  if (!report) throw new Error('another reconciliation is under way');
  const { lists, earlier, repaired } = report;
  return { lists, earlier, stored: repaired.map(({ svcUid }) => svcUid).sort() };
}

test.each([12, -12])(
  'reconciliation misses nothing when the host’s clock is off by %i hours',
  async (hours) => {
    const off = openContext(world, { hostOffBySeconds: hours * 3600 });
    await registerOrders(world, ['off']);
    await world.rows.query(`update orders set created_at = created_at + make_interval(hours => $1)`, [hours]);
    await paySilently(world, 'off');
    const first = await reconcile(off);
    await registerOrders(world, ['off-again']);
    await paySilently(world, 'off-again');
    const second = await reconcile(off);
    expect([first?.lists.paid.repaired, second?.lists.paid.repaired]).toEqual([1, 1]);
    await closeContext(off);
  },
);

test('of two reconciliations at once the second does nothing', async () => {
  await registerOrders(world, ['once']);
  await paySilently(world, 'once');
  const { service } = context;
  // The service answers the one that runs after the other has ended: so they overlap on a busy machine too.
  const slow = jest.spyOn(service, 'getServerTime').mockImplementationOnce(async () => {
    await Promise.any(running);
    return service.getServerTime();
  });
  const running = [reconcile(context), reconcile(context)];
  const both = await Promise.all(running);
  slow.mockRestore();
  expect(both.filter((report) => report === null)).toHaveLength(1);
  expect(await fetches()).toBe(1);
  expect(await orderStatus(world, 'once')).toBe('paid');
});

test('a requested period is compared, and the position does not change', async () => {
  await registerOrders(world, ['old', 'new']);
  await paySilently(world, 'old');
  await world.sandbox.advance(10 * DAY);
  await paySilently(world, 'new');
  const to = new Date(+world.clock.now() + 9 * DAY * 1000);
  const report = await reconcile(context, { span: { from: new Date(+world.clock.now() - DAY * 1000), to } });
  expect(report?.lists.paid).toMatchObject({ seen: 1, repaired: 1 });
  expect(await statusesOf('old', 'new')).toEqual(['paid', 'open']);
  expect(await world.rows.query('select 1 from reconciliation_runs')).toEqual([]);
});

test('a payment that cannot be repaired is one discrepancy, and is checked again only if its order or its record changes', async () => {
  await registerOrders(world, ['dear']);
  const { svc_uid: svcUid } = await paySilently(world, 'dear', { amount: 999 });
  await paySilently(world, 'late');
  const unresolved = { amount_mismatch: 1, unknown_order: 1 };
  const asked = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    for (let times = 0; times < 3; times += 1)
      expect((await reconcile(context))?.lists.paid.unresolved).toEqual(unresolved);
  });
  expect(asked).toBe(2);
  // A comparison of ninety days reads both again, far outside the overlap.
  await world.sandbox.advance(3 * 3600);
  const ninetyDays = () => reconcile(context, { ninetyDays: true });
  const askedAgain = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    expect((await ninetyDays())?.lists.paid).toMatchObject({ seen: 2, unresolved });
    expect((await reconcile(context))?.lists.paid.seen).toBe(0);
  });
  expect(askedAgain).toBe(0);
  const noted = [{ times_seen: 1 }];
  expect(await discrepanciesOf(world, 'dear')).toMatchObject(noted);
  expect(await discrepanciesOf(world, 'late')).toMatchObject(noted);
  expect(await orderStatus(world, 'dear')).toBe('open');

  await world.sandbox.control(svcUid, 'tamper', { amount: 1000 });
  await ninetyDays();
  // Far outside the overlap.
  await world.sandbox.advance(3 * 3600);
  await registerOrders(world, ['late']);
  await reconcile(context);
  expect(await statusesOf('late', 'dear')).toEqual(['paid', 'paid']);
});

test('an interrupted sweep goes on in the window where it stopped, for every list', async () => {
  const comparedTo = async () => {
    const sql =
      'select compared_to as "comparedTo", looked_back_at as "ninetyDaysAt" from reconciliation_runs';
    const [row] = await world.rows.query<{ comparedTo: Date; ninetyDaysAt: Date }>(sql);
    if (!row) throw new Error('no position');
    return row;
  };
  await registerOrders(world, ['first', 'second']);
  await paySilently(world, 'first', { outcome: 'failed' });
  await world.sandbox.advance(20 * DAY);
  await paySilently(world, 'second');
  const stopped = new AbortController();
  const first = await reconcile(context, {
    signal: stopped.signal,
    // After the last list of the first of four windows.
    onProgress: ({ done }) => (done >= 0.25 ? stopped.abort() : undefined),
  });
  expect(Object.values(first?.lists ?? {}).map(({ stoppedBy }) => stoppedBy)).toEqual(
    Array.from({ length: 5 }, () => 'interrupted'),
  );
  expect(await statusesOf('first', 'second')).toEqual(['failed', 'open']);
  const reached = await comparedTo();
  expect(+reached.comparedTo).toBeLessThan(+reached.ninetyDaysAt);

  const asked = await world.sandbox.requestsDuring(LIST_PAYMENTS, async () => {
    expect((await reconcile(context, { ninetyDays: true }))?.lists.failed.seen).toBe(0);
  });
  // How many there are in each of the other three windows, and one page.
  expect(asked).toBe(3 * 4 + 1);
  expect(await statusesOf('first', 'second')).toEqual(['failed', 'paid']);
  const end = await comparedTo();
  expect(end.ninetyDaysAt).toEqual(reached.ninetyDaysAt);
  expect(+end.comparedTo).toBeGreaterThanOrEqual(+end.ninetyDaysAt);
});

// Anyone can begin a payment of one won for an order.
test('a virtual account over another amount changes and reports nothing, and its deposit is an amount_mismatch', async () => {
  await registerOrders(world, ['mine']);
  const { svc_uid: svcUid } = await paySilently(world, 'mine', { amount: 1, outcome: 'virtual_account' });
  const before = await world.rows.money();
  const unchanged = { status: 200, outcome: 'unchanged' };
  expect(await sendNotification(world, svcUid, 'mine', 'ready')).toEqual(unchanged);
  const ninetyDays = () => reconcile(context, { ninetyDays: true });
  await ninetyDays();
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, ninetyDays)).toBe(0);
  expect(await discrepanciesOf(world, 'mine')).toEqual([]);
  expect(await world.rows.money()).toBe(before);

  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'deposit'));
  await reconcile(context);
  await expectRefused(world, svcUid, 'mine', 'amount_mismatch');
  const noted = { kind: 'amount_mismatch', expected: '1000 KRW', actual: '1 KRW', times_seen: 2 };
  expect(await discrepanciesOf(world, 'mine')).toEqual([noted]);
  expect(await world.rows.money()).toBe(before);
});

describe('when the service fails', () => {
  test('in one list, the other lists are still compared, and that list is repaired later', async () => {
    await registerOrders(world, ['paid-1', 'failed-1']);
    await paySilently(world, 'paid-1');
    await paySilently(world, 'failed-1', { outcome: 'failed' });
    await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'status', status: 503, times: 2 });
    const first = await reconcile(context);
    expect(first?.lists.paid.stoppedBy).toBe('server_error');
    expect(await statusesOf('paid-1', 'failed-1')).toEqual(['open', 'failed']);
    const second = await reconcile(context);
    expect(second?.lists.paid).toMatchObject({ repaired: 1, stoppedBy: null });
  });

  test('after a request for a pause no list is read until a later reconciliation (E21)', async () => {
    await registerOrders(world, ['paused']);
    await paySilently(world, 'paused');
    await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'status', status: 429, times: 1 });
    const report = await reconcile(context);
    const reasons = Object.values(report?.lists ?? {}).map(({ stoppedBy }) => stoppedBy);
    expect(reasons).toEqual(Array.from({ length: 5 }, () => 'rate_limited'));
    expect(await world.sandbox.requests(LIST_PAYMENTS)).toBe(1);
    world.clock.advance(60);
    await reconcile(context);
    expect(await orderStatus(world, 'paused')).toBe('paid');
  });

  test('a service that fails on a few fetches gets no more of them, and a later reconciliation repairs everything (E27)', async () => {
    const uids = Array.from({ length: 40 }, (_, number) => `back-${number}`);
    await registerOrders(world, uids);
    for (const uid of uids) await paySilently(world, uid);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1000 });
    const first = await reconcile(context);
    expect(first?.lists.paid).toMatchObject({ repaired: 0, stoppedBy: 'no_answer' });
    expect(await fetches()).toBeLessThan(30);
    await world.sandbox.clearFaults();
    world.clock.advance(300);
    await reconcile(context);
    expect(await world.rows.query(`select from orders where status <> 'paid'`)).toEqual([]);
  });
});
