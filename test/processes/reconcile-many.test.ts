// Reconciliation repairs thirty lost notifications among eleven hundred payments (more than one page), even if it is killed meanwhile,
// and misses no payment although the lists change while it reads them. Matching payments cost little.

import { readPages } from '../../src/merchant/core/reconciliation/listed-payments';
import { reconcile } from '../../src/merchant/core/reconciliation/reconcile';
import { closeContext, type Context } from '../../src/merchant/platform/context';
import { openContext, runCommand } from '../support/beside-world';
import { startStatementProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { paySilently, registerOrders } from '../support/orders';
import { bothSides } from '../support/reconciliation';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useContext, useWorld } from '../support/use-world';

const PAYMENTS = 1100;
const LOST = 30;
const AT_ONCE = 16;
const world = useWorld();
const context = useContext(world);
beforeAll(async () => {
  const uids = Array.from({ length: PAYMENTS }, (_, number) => `order-${number}`);
  await registerOrders(world, uids);
  const payments = await paySilentlyAtOnce(uids);
  await record(payments.slice(LOST));
});

type Payment = { svc_uid: string; merchant_uid: string };

/** Concurrent requests, as from buyers. */
async function paySilentlyAtOnce(merchantUids: readonly string[]): Promise<Payment[]> {
  const left = [...merchantUids];
  const made: Payment[] = [];
  const pay = async (): Promise<void> => {
    for (let merchant_uid = left.shift(); merchant_uid; merchant_uid = left.shift())
      made.push(await paySilently(world, merchant_uid));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, pay));
  return made;
}

/** Inserts them as their notifications would have. */
async function record(payments: readonly Payment[]): Promise<void> {
  await world.rows.query(
    `insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
     select svc_uid, merchant_uid, 'paid', 1000, 'KRW', '{}', $2, $2, $2
     from jsonb_to_recordset($1::jsonb) as paid (svc_uid text, merchant_uid text)`,
    [JSON.stringify(payments), world.clock.now()],
  );
  await world.rows.query(
    `update orders set status = 'paid', version = 1 where merchant_uid in (select merchant_uid from payments)`,
  );
}
async function storedPayments(): Promise<number> {
  const [row] = await world.rows.query<{ count: number }>('select count(*)::int as count from payments');
  return row?.count ?? 0;
}

test('a killed reconciliation is continued, and both sides are equal at the end', async () => {
  expect(await storedPayments()).toBe(PAYMENTS - LOST);
  const slow = { endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 400, times: 1000 };
  await world.sandbox.fault(slow);
  const killed = runCommand(world, 'reconcile');
  await eventually(async () => (await storedPayments()) >= PAYMENTS - LOST + 5);
  killed.child.kill('SIGKILL');
  expect((await killed.ended).exitCode).toBeNull();
  const repaired = (await storedPayments()) - (PAYMENTS - LOST);
  expect(repaired).toBeLessThan(LOST);

  await world.sandbox.clearFaults();
  const again = runCommand(world, 'reconcile', ['--json']);
  const { exitCode, output } = await again.ended;
  expect({ exitCode, ...(JSON.parse(output) as object) }).toMatchObject({
    exitCode: 0,
    complete: true,
    lists: { paid: { repaired: LOST - repaired, stopped_by: null } },
  });
  const { service, stored } = await bothSides(world);
  expect(service).toHaveLength(PAYMENTS);
  expect(stored).toEqual(service);
});

test('no payment is missed when others leave their list while it is read', async () => {
  const leaves: string[] = [];
  const { service } = context;
  const restless: Context = {
    ...context,
    state: new Map(),
    service: {
      ...service,
      async getPaymentStates(status, query) {
        const page = await service.getPaymentStates(status, query);
        // The first one of the list is cancelled, so all after it move up.
        const [first] = (await service.getPaymentStates(status, { ...query, page: 1, limit: 1 })).list;
        if (first) await service.cancelPayment({ svcUid: first.svcUid, reason: 'restless' });
        if (first) leaves.push(first.svcUid);
        return page;
      },
    },
  };
  const span = { from: new Date(+world.clock.now() - 3_600_000), to: world.clock.now() };
  const seen = new Set<string>();
  let pages = 0;
  for await (const { payments } of readPages(restless, 'paid', span)) {
    for (const { svcUid } of payments) seen.add(svcUid);
    pages += 1;
  }
  expect(pages).toBe(2);
  expect(leaves.length).toBeGreaterThan(2);
  const missed = (await bothSides(world)).service
    .filter((line) => line.includes(' paid '))
    .filter((line) => !seen.has(line.split(' ')[0] ?? ''));
  expect(missed).toEqual([]);
});

test('a page of a list without differences costs one statement', async () => {
  // First syncs earlier changes.
  await reconcile(context);
  const proxy = await startStatementProxy(world.databaseUrl);
  const counted = openContext(world, { environment: { DATABASE_URL: proxy.url } });
  const statementsOf = async (from: Date): Promise<{ seen: number; statements: number }> => {
    proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
    const report = await reconcile(counted, { span: { from, to: null } });
    const seen = Object.values(report?.lists ?? {}).reduce((sum, list) => sum + list.matched, 0);
    return { seen, statements: proxy.count() };
  };
  await world.advance(7_200);
  const now = world.clock.now().getTime();
  // Opens the connections, each of which is checked by a statement.
  await statementsOf(new Date(now - 86_400_000));
  const nothing = await statementsOf(new Date(now - 3_600_000));
  const all = await statementsOf(new Date(now - 86_400_000));
  await closeContext(counted);
  await proxy.close();
  expect([nothing.seen, all.seen]).toEqual([0, PAYMENTS]);
  // Two pages of what is paid, one of what is cancelled.
  expect(all.statements - nothing.statements).toBe(3);
});
