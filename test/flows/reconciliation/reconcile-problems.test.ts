// What a sweep cannot repair, and a service that fails while it is asked (§4.5): nothing is forgotten, and nobody is asked in vain.

import { reconcile } from '../../../src/merchant/reconciliation/reconcile';
import { FETCH_PAYMENT, LIST_PAYMENTS, TOKEN } from '../../support/endpoints';
import { orderStatus, paySilently, registerOrders } from '../../support/orders';
import { resetWorld, runReconcileJob } from '../../support/reconciliation';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const context = useContext(world);
beforeEach(() => resetWorld(world));

const fetches = () => world.sandbox.requests(FETCH_PAYMENT);

describe('what cannot be repaired', () => {
  test('is one discrepancy, and the service is not asked again while nothing changes', async () => {
    await registerOrders(world, ['dear']);
    await paySilently(world, 'dear', { amount: 999 });
    await paySilently(world, 'nobody-ordered');
    const unresolved = { amount_mismatch: 1, unknown_order: 1 };
    expect((await reconcile(context))?.lists.paid.unresolved).toEqual(unresolved);
    const fetchesBefore = await fetches();
    for (let times = 0; times < 3; times += 1) await runReconcileJob(world);
    expect((await reconcile(context))?.lists.paid.unresolved).toEqual(unresolved);
    expect(await fetches()).toBe(fetchesBefore);
    const kinds = await world.rows.query('select kind, times_seen from discrepancies order by kind');
    expect(kinds).toEqual([
      { kind: 'amount_mismatch', times_seen: 1 },
      { kind: 'unknown_order', times_seen: 1 },
    ]);
    expect(await orderStatus(world, 'dear')).toBe('open');
  });

  test('is looked at again when its order is registered at last, far outside the overlap', async () => {
    await registerOrders(world, ['anything']);
    await paySilently(world, 'late');
    await reconcile(context);
    await world.sandbox.advance(3 * 3600);
    await reconcile(context);
    await registerOrders(world, ['late']);
    await reconcile(context);
    expect(await orderStatus(world, 'late')).toBe('paid');
    expect(await world.rows.query('select from discrepancies where resolved_at is null')).toEqual([]);
    expect(await world.rows.query('select from reconciliation_differences')).toEqual([]);
  });

  test('is looked at again when the service says something else', async () => {
    await registerOrders(world, ['mended']);
    const payment = await paySilently(world, 'mended', { amount: 999 });
    await reconcile(context);
    await world.sandbox.control(payment.svc_uid, 'tamper', { amount: 1000 });
    await reconcile(context);
    expect(await orderStatus(world, 'mended')).toBe('paid');
  });
});

describe('a service that fails', () => {
  test('in one list does not keep the sweep from the others, and the list is made up for', async () => {
    await registerOrders(world, ['paid-1', 'failed-1']);
    await paySilently(world, 'paid-1');
    await paySilently(world, 'failed-1', { outcome: 'failed' });
    await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'status', status: 503, times: 2 });
    const first = await reconcile(context);
    const { ready, paid } = first?.lists ?? {};
    expect([ready?.stoppedBy, paid?.stoppedBy]).toEqual(['server_error', 'server_error']);
    expect(await orderStatus(world, 'paid-1')).toBe('open');
    expect(await orderStatus(world, 'failed-1')).toBe('failed');
    const second = await reconcile(context);
    expect(second?.lists.paid).toMatchObject({ repaired: 1, stoppedBy: null });
  });

  test('and asks for a pause gets one from all lists, until a later sweep (E21)', async () => {
    await registerOrders(world, ['paused']);
    await paySilently(world, 'paused');
    await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'status', status: 429, times: 1 });
    const report = await reconcile(context);
    expect(Object.values(report?.lists ?? {}).map(({ stoppedBy }) => stoppedBy)).toEqual(
      Array.from({ length: 5 }, () => 'rate_limited'),
    );
    expect(await world.sandbox.requests(LIST_PAYMENTS)).toBe(1);
    world.clock.advance(60);
    await reconcile(context);
    expect(await orderStatus(world, 'paused')).toBe('paid');
  });

  test('at every look is left alone after a few, and everything is repaired once it is back (E27)', async () => {
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

  test('even to tell the time leaves a line in the log, and the next sweep goes on', async () => {
    await registerOrders(world, ['timeless']);
    await paySilently(world, 'timeless');
    await world.sandbox.fault({ endpoint: TOKEN, kind: 'status', status: 503, times: 1 });
    await runReconcileJob(world);
    expect(world.log.events('reconciliation_not_possible')).toHaveLength(1);
    await runReconcileJob(world);
    expect(await orderStatus(world, 'timeless')).toBe('paid');
  });
});
