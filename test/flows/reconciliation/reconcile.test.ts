// The third story: a notification never comes, and the sweep finds the payment all the same (§4.5, §6.1, §6.3, §6.5).

import { closeContext, type Context } from '../../../src/merchant/context';
import { reconcile } from '../../../src/merchant/reconciliation/reconcile';
import { beginAnew, openContext, registerOrders, runReconcileJob } from '../../support/reconciliation-parts';
import { startWorld, type World } from '../../support/world';

const DAY = 86_400;
let world: World;
let context: Context;
beforeAll(async () => {
  world = await startWorld();
  context = openContext(world);
});
beforeEach(() => beginAnew(world));
afterAll(async () => {
  await closeContext(context);
  await world.close();
});

const orderStatus = async (merchantUid: string): Promise<string> =>
  (await world.api('GET', `/api/orders/${merchantUid}`)).body.status as string;
const polls = () => world.sandbox.requests('GET /payments/:svc_uid');
async function lost(merchantUid: string, more: Record<string, unknown> = {}) {
  return world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false, ...more });
}

test('a payment whose buyer sent the notification elsewhere (notice_url) is applied by the next sweep (C26)', async () => {
  await registerOrders(world, ['elsewhere']);
  const payment = await world.sandbox.pay({
    merchant_uid: 'elsewhere',
    amount: 1000,
    notice_url: 'http://127.0.0.1:9/mine',
  });
  expect(await orderStatus('elsewhere')).toBe('open');
  await runReconcileJob(world);
  expect(await orderStatus('elsewhere')).toBe('paid');
  expect(world.log.events('payment_repaired')).toMatchObject([
    { list: 'paid', svc_uid: payment.svc_uid, merchant_uid: 'elsewhere' },
  ]);
  const { text } = await fetch(`${world.url}/metrics`).then(async (answer) => ({
    text: await answer.text(),
  }));
  expect(text).toContain('merchant_reconciliation_repaired_total{list="paid"} 1');
  expect(text).toContain('merchant_reconciliations_total{result="complete"} 1');
});

test('what sends nothing is found: a failed payment, a virtual account, a cancellation through the API', async () => {
  await registerOrders(world, ['failed', 'account', 'refund']);
  await lost('failed', { outcome: 'failed' });
  await lost('account', { outcome: 'virtual_account' });
  const refunded = await world.sandbox.pay({ merchant_uid: 'refund', amount: 1000 });
  await context.service.cancelPayment({ svcUid: refunded.svc_uid, amount: 400, reason: 'one of two' });
  expect(await orderStatus('refund')).toBe('paid');
  await runReconcileJob(world);
  expect(await orderStatus('failed')).toBe('failed');
  expect(await orderStatus('account')).toBe('awaiting_deposit');
  expect(await orderStatus('refund')).toBe('partially_cancelled');
  await context.service.cancelPayment({ svcUid: refunded.svc_uid, reason: 'the other one' });
  await runReconcileJob(world);
  expect(await orderStatus('refund')).toBe('cancelled');
});

test('an executed schedule whose notification was lost is found', async () => {
  await registerOrders(world, ['monthly']);
  const card = { cardNumber: '4242-4242-4242-4242', expiry: '2037-11', birth: '790523', pwd2digit: '86' };
  const scheduleAt = new Date(+world.clock.now() + DAY * 1000);
  await context.service.schedulePayments(
    'key-1',
    [{ merchantUid: 'monthly', amount: 1000, scheduleAt, name: 'Tea' }],
    card,
  );
  await world.sandbox.settings({ webhook_url: 'http://127.0.0.1:9/gone' });
  await world.sandbox.advance(2 * DAY);
  expect(await orderStatus('monthly')).toBe('open');
  const report = await reconcile(context);
  expect(report?.lists.schedules).toMatchObject({ seen: 1, matched: 1 });
  expect(report?.lists.paid).toMatchObject({ seen: 1, repaired: 1 });
  expect(await orderStatus('monthly')).toBe('paid');
});

test('in step, a sweep asks for no payment and changes no row', async () => {
  await registerOrders(world, ['fine']);
  await world.sandbox.pay({ merchant_uid: 'fine', amount: 1000 });
  const [before, asked] = [await world.rows.money(), await polls()];
  const report = await reconcile(context);
  expect(report?.lists.paid).toMatchObject({ seen: 1, matched: 1, repaired: 0, stoppedBy: null });
  expect(await world.rows.money()).toBe(before);
  expect(await polls()).toBe(asked);
});

test('a dry run says what it would look at, asks for no payment and writes nothing', async () => {
  await registerOrders(world, ['dry']);
  await lost('dry');
  const before = await world.rows.dump();
  const report = await reconcile(context, { dryRun: true });
  expect(report?.lists.paid).toMatchObject({ seen: 1, matched: 0, repaired: 0, toRepair: 1 });
  expect(await world.rows.dump()).toBe(before);
  expect(await polls()).toBe(0);
});

describe('clocks', () => {
  test('a service whose clock has gone 200 days ahead misses nothing, on either side of the journey', async () => {
    await registerOrders(world, ['before', 'after']);
    await lost('before');
    await world.sandbox.advance(200 * DAY);
    await lost('after');
    await runReconcileJob(world);
    expect([await orderStatus('before'), await orderStatus('after')]).toEqual(['paid', 'paid']);
  });

  test('nor does a sweep that was there before the journey', async () => {
    await registerOrders(world, ['first', 'on-the-way', 'last']);
    await runReconcileJob(world);
    await lost('first');
    await world.sandbox.advance(100 * DAY);
    await lost('on-the-way');
    await world.sandbox.advance(100 * DAY);
    await lost('last');
    await runReconcileJob(world);
    for (const uid of ['first', 'on-the-way', 'last']) expect(await orderStatus(uid)).toBe('paid');
  });

  test('a service whose clock was set back is compared again from the beginning', async () => {
    await registerOrders(world, ['reset']);
    await world.sandbox.advance(30 * DAY);
    await runReconcileJob(world);
    await world.sandbox.call('POST', '/reset');
    await lost('reset');
    await runReconcileJob(world);
    expect(await orderStatus('reset')).toBe('paid');
  });

  test.each([12, -12])('a host whose clock is off by %i hours misses nothing', async (hours) => {
    const off = openContext(world, { hostOffBySeconds: hours * 3600 });
    await registerOrders(world, ['off']);
    await world.rows.query(`update orders set created_at = created_at + make_interval(hours => $1)`, [hours]);
    await lost('off');
    const first = await reconcile(off);
    await registerOrders(world, ['off-again']);
    await lost('off-again');
    const second = await reconcile(off);
    expect([first?.lists.paid.repaired, second?.lists.paid.repaired]).toEqual([1, 1]);
    await closeContext(off);
  });
});

describe('what cannot be repaired', () => {
  test('is one discrepancy, and the service is not asked again while nothing changes', async () => {
    await registerOrders(world, ['dear']);
    await lost('dear', { amount: 999 });
    await lost('nobody-ordered');
    const first = await reconcile(context);
    expect(first?.lists.paid.unresolved).toEqual({ amount_mismatch: 1, unknown_order: 1 });
    const asked = await polls();
    for (let times = 0; times < 3; times += 1) await runReconcileJob(world);
    expect(await polls()).toBe(asked);
    const again = await reconcile(context);
    expect(again?.lists.paid.unresolved).toEqual({ amount_mismatch: 1, unknown_order: 1 });
    const kinds = await world.rows.query('select kind, times_seen from discrepancies order by kind');
    expect(kinds).toEqual([
      { kind: 'amount_mismatch', times_seen: 1 },
      { kind: 'unknown_order', times_seen: 1 },
    ]);
    expect(await orderStatus('dear')).toBe('open');
  });

  test('is looked at again when its order is registered at last, far outside the overlap', async () => {
    await registerOrders(world, ['anything']);
    await lost('late');
    await reconcile(context);
    await world.sandbox.advance(3 * 3600);
    await reconcile(context);
    await registerOrders(world, ['late']);
    await reconcile(context);
    expect(await orderStatus('late')).toBe('paid');
    const open = await world.rows.query('select 1 from discrepancies where resolved_at is null');
    expect([open, await world.rows.query('select 1 from reconciliation_differences')]).toEqual([[], []]);
  });

  test('is looked at again when the service says something else', async () => {
    await registerOrders(world, ['mended']);
    const payment = await lost('mended', { amount: 999 });
    await reconcile(context);
    await world.sandbox.control(payment.svc_uid, 'tamper', { amount: 1000 });
    await reconcile(context);
    expect(await orderStatus('mended')).toBe('paid');
  });
});

describe('a service that fails', () => {
  test('in one list does not keep the sweep from the others, and the list is made up for', async () => {
    await registerOrders(world, ['paid-1', 'failed-1']);
    await lost('paid-1');
    await lost('failed-1', { outcome: 'failed' });
    const fault = { endpoint: 'GET /payments/status/:payment_status', kind: 'status', status: 503, times: 2 };
    await world.sandbox.fault(fault);
    const first = await reconcile(context);
    expect([first?.lists.ready.stoppedBy, first?.lists.paid.stoppedBy]).toEqual([
      'server_error',
      'server_error',
    ]);
    expect([await orderStatus('paid-1'), await orderStatus('failed-1')]).toEqual(['open', 'failed']);
    const second = await reconcile(context);
    expect(second?.lists.paid).toMatchObject({ repaired: 1, stoppedBy: null });
  });

  test('and asks for a pause gets one from all lists, until the next sweep (E21)', async () => {
    await registerOrders(world, ['paused']);
    await lost('paused');
    const list = 'GET /payments/status/:payment_status';
    await world.sandbox.fault({ endpoint: list, kind: 'status', status: 429, times: 1 });
    const report = await reconcile(context);
    expect(Object.values(report?.lists ?? {}).map(({ stoppedBy }) => stoppedBy)).toEqual(
      Array.from({ length: 5 }, () => 'rate_limited'),
    );
    expect(await world.sandbox.requests(list)).toBe(1);
    await reconcile(context);
    expect(await orderStatus('paused')).toBe('paid');
  });

  test('at every look is left alone after a few, and everything is repaired once it is back (E27)', async () => {
    const uids = Array.from({ length: 40 }, (_, number) => `back-${number}`);
    await registerOrders(world, uids);
    for (const uid of uids) await lost(uid);
    await world.sandbox.fault({
      endpoint: 'GET /payments/:svc_uid',
      kind: 'status',
      status: 503,
      times: 1000,
    });
    const first = await reconcile(context);
    expect(first?.lists.paid).toMatchObject({ repaired: 0, stoppedBy: 'no_answer' });
    expect(await polls()).toBeLessThan(30);
    await world.sandbox.call('DELETE', '/faults');
    world.clock.advance(300);
    await reconcile(context);
    const open = await world.rows.query(`select 1 from orders where status <> 'paid'`);
    expect(open).toEqual([]);
  });

  test('even to tell the time leaves a line in the log, and the next sweep goes on', async () => {
    await registerOrders(world, ['timeless']);
    await lost('timeless');
    await world.sandbox.fault({ endpoint: 'POST /users/getToken', kind: 'status', status: 503, times: 1 });
    await runReconcileJob(world);
    expect(world.log.events('reconciliation_not_possible')).toHaveLength(1);
    await runReconcileJob(world);
    expect(await orderStatus('timeless')).toBe('paid');
  });
});

test('of two sweeps at once the second steps aside', async () => {
  await registerOrders(world, ['once']);
  await lost('once');
  const both = await Promise.all([reconcile(context), reconcile(context)]);
  expect(both.filter((report) => report === null)).toHaveLength(1);
  expect(await polls()).toBe(1);
  expect(await orderStatus('once')).toBe('paid');
});

test('a stretch that was asked for is compared, and the position stays where it is', async () => {
  await registerOrders(world, ['old', 'new']);
  await lost('old');
  await world.sandbox.advance(10 * DAY);
  await lost('new');
  const to = new Date(+world.clock.now() + 9 * DAY * 1000);
  const report = await reconcile(context, { span: { from: new Date(+world.clock.now() - DAY * 1000), to } });
  expect(report?.lists.paid).toMatchObject({ seen: 1, repaired: 1 });
  expect([await orderStatus('old'), await orderStatus('new')]).toEqual(['paid', 'open']);
  expect(await world.rows.query('select 1 from reconciliation_positions')).toEqual([]);
});
