// A merchant process under pressure, with its real job engine and the clock of the host: a backlog is worked off when the
// service is back, a generation that hangs keeps nobody waiting, and a clock that is off changes no gap.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/merchant/clock';
import { createLogger } from '../../src/merchant/logger';
import { startMerchant } from '../../src/merchant/start-merchant';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';
import { callApi } from '../support/call-api';
import { CARD } from '../support/cards';
import { API_KEY, testConfig } from '../support/config';
import { FETCH_PAYMENT } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { holdReconciliation } from '../support/hold-reconciliation';
import { startMerchantProcess, type MerchantProcess } from '../support/merchant-process';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls, type SandboxControls } from '../support/sandbox-controls';
import { SERVICE_ADDRESS } from '../support/world';

let database: TestDatabase;
let rows: Rows;
let sandboxProcess: RunningSandbox;
let sandbox: SandboxControls;
/** Accepts everything and answers nothing. */
let silent: Server;
let merchant: MerchantProcess | undefined;
let allowReconciliation: () => Promise<void>;

jest.setTimeout(60_000);

beforeEach(async () => {
  database = await createTestDatabase();
  rows = openRows(database.url);
  // It may begin at any moment, and would store what a retry is to store.
  allowReconciliation = await holdReconciliation(database.url);
  sandboxProcess = await startSandbox({ config: { port: 0 } });
  sandbox = createSandboxControls(sandboxProcess.url);
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await merchant?.kill('SIGKILL');
  merchant = undefined;
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  await allowReconciliation();
  await sandboxProcess.close();
  await rows.close();
  await database.drop();
});

const environment = (changes: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  SERVICE_BASE_URL: sandbox.url,
  SERVICE_V2_BASE_URL: sandbox.url,
  API_KEY,
  TRUSTED_PROXIES: '127.0.0.1',
  ...changes,
});

async function registerOrder(merchantUid: string): Promise<void> {
  await rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     values ($1, 'Tea', 1000, 'KRW', now(), now())`,
    [merchantUid],
  );
}

const pay = async (merchantUid: string) =>
  (await sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false })).svc_uid;

async function notify(port: number, body: Record<string, string>): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { outcome?: string }).outcome;
}

/** How many payments are made at a time. */
const PAID_AT_ONCE = 50;

/**
 * Notifications that were queued while the service was away, one each second, with their next attempts a quarter of an hour
 * off.
 */
async function queueBacklog(count: number): Promise<void> {
  const ids: { svc_uid: string; merchant_uid: string }[] = [];
  for (let paid = 0; paid < count; paid += PAID_AT_ONCE) {
    const uids = Array.from({ length: PAID_AT_ONCE }, (_, n) => `late-${paid + n}`);
    ids.push(...(await Promise.all(uids.map(payUnannounced))));
  }
  await rows.query(
    `with paid as (select * from rows from (jsonb_to_recordset($1::jsonb) as (svc_uid text, merchant_uid text))
         with ordinality p (svc_uid, merchant_uid, n)), o as (
       insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       select merchant_uid, 'Tea', 1000, 'KRW', now(), now() from paid)
     insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select now() - interval '1 day' + n * interval '1 second', 'legacy', svc_uid, merchant_uid, 'paid', $2,
       'queued', 'server_error', 9, now(), now() + interval '14 minutes' + n * interval '10 milliseconds' from paid`,
    [JSON.stringify(ids), SERVICE_ADDRESS],
  );
}

async function payUnannounced(merchantUid: string): Promise<{ svc_uid: string; merchant_uid: string }> {
  const payment = { merchant_uid: merchantUid, amount: 1000, notify: false };
  const { svc_uid } = (await sandbox.call('POST', '/payments', payment)) as { svc_uid: string };
  return { svc_uid, merchant_uid: merchantUid };
}

const openCount = async () =>
  (await rows.query('select from notifications where next_attempt_at is not null')).length;

test('M35 three thousand notifications that waited are judged within a minute of the service’s return, the oldest first, and new ones within a second', async () => {
  await queueBacklog(3000);
  const fault = { endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1_000_000 };
  await sandbox.fault(fault);
  merchant = await startMerchantProcess(environment());
  for (let n = 0; n < 4; n += 1) {
    await registerOrder(`new-${n}`);
    expect(
      await notify(merchant.port, {
        svc_uid: await pay(`new-${n}`),
        merchant_uid: `new-${n}`,
        status: 'paid',
      }),
    ).toBe('queued');
  }
  await sandbox.clearFaults();
  const returnedMs = performance.now();
  await eventually(async () => (await openCount()) < 2900);
  const order = await rows.query<{ n: number; is_open: boolean }>(
    `select substring(merchant_uid from 6)::int as n, next_attempt_at is not null as is_open
     from notifications where merchant_uid like 'late-%' order by n`,
  );
  // Some are under way, and one was tried by itself to see whether the service is back.
  const judged = order.filter(({ is_open }) => !is_open).map(({ n }) => n);
  expect(judged.at(-2)).toBeLessThan(judged.length + 200);
  expect(judged.length).toBeLessThan(2900);
  await registerOrder('meanwhile');
  const svcUid = await pay('meanwhile');
  const sentMs = performance.now();
  expect(await notify(merchant.port, { svc_uid: svcUid, merchant_uid: 'meanwhile', status: 'paid' })).toBe(
    'recorded',
  );
  expect(performance.now() - sentMs).toBeLessThan(1_000);
  await eventually(async () => (await openCount()) === 0);
  expect(performance.now() - returnedMs).toBeLessThan(60_000);
  expect(await rows.query(`select merchant_uid from orders where status <> 'paid'`)).toEqual([]);
});

test('M6 a charge whose answer got lost is resolved within 15 s while notifications of a generation that hangs wait', async () => {
  const { port } = silent.address() as AddressInfo;
  merchant = await startMerchantProcess(environment({ SERVICE_V2_BASE_URL: `http://127.0.0.1:${port}` }));
  const hanging = Array.from({ length: 60 }, (_, n) => n);
  await rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select 'hang-' || n, 'Tea', 1000, 'KRW', now(), now() from generate_series(0, 59) n`,
  );
  await rows.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, next_attempt_at)
     select now(), 'newer', 'tx_' || n, 'hang-' || n, $1, now() from generate_series(0, 59) n`,
    [SERVICE_ADDRESS],
  );
  await rows.query(`select graphile_worker.add_job('retry-due-notifications') from generate_series(1, 12)`);
  const answers = hanging.map((n) => {
    const body = { tx_id: `tx_new_${n}`, payment_id: `hang-${n}`, status: 'Paid' };
    return notify(merchant?.port ?? 0, body).catch(() => undefined);
  });
  const url = `http://127.0.0.1:${merchant.port}`;
  await sandbox.fault({ endpoint: 'POST /subscribe/payments/onetime', kind: 'lost_response' });
  const startedMs = performance.now();
  const charged = await callApi(url, 'POST', '/api/onetime', {
    merchant_uid: 'lost',
    name: 'Tea',
    amount: 1000,
    ...CARD,
  });
  expect(charged).toMatchObject({ status: 202 });
  await rows.waitFor(`select from charges where merchant_uid = 'lost' and status = 'paid'`);
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  expect(await rows.query(`select status from orders where merchant_uid = 'lost'`)).toEqual([
    { status: 'paid' },
  ]);
  expect(
    await rows.query(`select outcome from notifications where outcome = 'recorded' and generation = 'newer'`),
  ).toEqual([]);
  expect(await sandbox.requests('POST /subscribe/payments/onetime')).toBe(1);
  await Promise.all(answers);
});

test.each([-300, 300])(
  'M12 a host whose clock is off by %i s keeps the gaps of an unknown order',
  async (offSeconds) => {
    const off = { ...systemClock, now: () => new Date(Date.now() + offSeconds * 1000) };
    const running = await startMerchant({
      config: testConfig({ ...environment(), SERVICE_NAME_PREFIX: 'svc' }),
      clock: off,
      logger: createLogger('silent'),
      runJobs: true,
    });
    try {
      // Its clock is right once the jobs have begun.
      await rows.waitFor(`select from graphile_worker._private_known_crontabs`);
      const svcUid = await pay('early');
      expect(await notify(running.port, { svc_uid: svcUid, merchant_uid: 'early', status: 'paid' })).toBe(
        'unknown_order',
      );
      await rows.waitFor('select from notifications where attempts = 2');
      const [second] = await rows.query<{ seconds: number }>(
        `select extract(epoch from judged_at - received_at)::float8 as seconds from notifications`,
      );
      expect(second?.seconds).toBeGreaterThan(2);
      expect(second?.seconds).toBeLessThan(5);
      expect(await rows.query('select attempts from notifications')).toEqual([{ attempts: 2 }]);
      await registerOrder('early');
      await rows.waitFor(`select from notifications where outcome = 'recorded'`);
      expect(await rows.query('select status from orders')).toEqual([{ status: 'paid' }]);
      const [third] = await rows.query<{ seconds: number; attempts: number }>(
        `select extract(epoch from judged_at - received_at)::float8 as seconds, attempts from notifications`,
      );
      expect(third?.attempts).toBe(3);
      expect(third?.seconds).toBeGreaterThan(6.9);
    } finally {
      await running.close();
    }
  },
);
