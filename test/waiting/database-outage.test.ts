// A real merchant process loses its database and gets it back (rows M1, M2 and G12 of docs/13-faults.md): it does not exit, and
// interrupted jobs run again. It uses the host's clock, so these tests wait.

import { jobsOfTheStart, loseAnswer } from '../processes/lost-payment';
import { startFreezingProxy, type FreezingProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { withCardForm } from '../support/keys';
import { FETCH_PAYMENT, FIND_PAYMENTS } from '../support/sandbox-controls';
import { useSurroundings, type Merchant } from '../support/use-surroundings';

const OUTAGE_MS = 10_000;
const MINUTE_MS = 60_000;

const around = useSurroundings();
let proxy: FreezingProxy;
let merchant: Merchant;

beforeAll(async () => {
  await around.holdReconciliation();
  proxy = await startFreezingProxy(around.database.url);
  merchant = await around.startMerchant({ DATABASE_URL: proxy.url });
});
afterAll(() => proxy?.close());

withCardForm(
  'M1 a database outage of ten seconds during a job ends no process, and the job runs again',
  async () => {
    await takeJobInHand('in-hand');

    await around.database.setReachable(false);
    const health: number[] = [];
    const began = performance.now();
    try {
      while (performance.now() - began < OUTAGE_MS) {
        health.push((await fetch(`${merchant.url}/healthz`)).status);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } finally {
      await around.database.setReachable(true);
      await around.holdReconciliation();
    }
    expect(health.length).toBeGreaterThan(10);
    expect(new Set(health)).toEqual(new Set([200]));

    await around.rows.waitFor(`select 1 from charges where merchant_uid = 'in-hand' and status = 'paid'`);
    expect(await around.rows.query('select merchant_uid from payments')).toEqual([
      { merchant_uid: 'in-hand' },
    ]);
    expect(await around.rows.query('select status, version from orders')).toEqual([
      { status: 'paid', version: 1 },
    ]);
    expect(await around.rows.query('select kind from discrepancies')).toEqual([]);
    expect(merchant.events('unhandled_rejection')).toEqual([]);
    expect(merchant.events('jobs_wait_for_database').length).toBeGreaterThan(0);
  },
);

test('M1 after an outage the process listens for jobs again, and a new job runs within seconds', async () => {
  await around.rows.waitFor(
    `select 1 from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'`,
  );
  await expectCheckedAgain('after-outage');
});

test('M2 connections of the jobs that stop answering are replaced, and a new job runs within seconds', async () => {
  expect((await merchant.api('GET', '/api/orders')).status).toBe(200);
  // Those of the jobs and one of the requests.
  await eventually(() => proxy.open() >= 5);
  proxy.freeze();
  // The current request fails if it meets a connection that is frozen, and its sender repeats it.
  expect([200, 503]).toContain((await merchant.api('GET', '/api/orders')).status);
  await expectCheckedAgain('after-freeze');
  expect(merchant.events('unhandled_rejection')).toEqual([]);
});

/** A payment whose answer was lost is being looked for. */
async function takeJobInHand(merchantUid: string): Promise<void> {
  await jobsOfTheStart(around.rows);
  // The charge queries the service once before it pays, and the job afterwards. Both are slow on purpose.
  await around.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'delay', delay_ms: 3000, times: 2 });
  const before = await around.sandbox.requests(FIND_PAYMENTS);
  await loseAnswer(merchant.api, around.sandbox, merchantUid);
  await eventually(async () => (await around.sandbox.requests(FIND_PAYMENTS)) > before + 1);
}

/** A notification that could not be checked: a job checks it in two seconds, and nothing else within a minute. */
async function expectCheckedAgain(merchantUid: string): Promise<void> {
  const svcUid = await merchant.payOrder(merchantUid);
  await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await merchant.notify(svcUid, merchantUid)).toEqual({ status: 200, outcome: 'queued' });
  const began = performance.now();
  await around.rows.waitFor(`select from notifications where merchant_uid = $1 and outcome = 'recorded'`, [
    merchantUid,
  ]);
  expect(performance.now() - began).toBeLessThan(MINUTE_MS);
}
