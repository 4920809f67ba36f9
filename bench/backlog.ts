// How long a backlog takes: notifications that were queued while the service was away, on a durable PostgreSQL, with the
// sandbox as the service and one merchant process. Meanwhile a new notification is sent every tenth of a second.
// Run: npm run bench:backlog -- [notifications, default 100000]

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { administer } from '../src/local/postgres/databases';
import { startEmbeddedPostgres } from '../src/local/postgres/embedded-postgres';
import { applyMigrations } from '../src/merchant/migrations';
import { startMerchantProcess, type MerchantProcess } from '../test/support/merchant-process';
import { startSandboxProcess } from '../test/support/sandbox-process';
import { cpuMs, familyCpuMs, parentOf } from './cpu';

const BACKLOG = Number(process.argv[2] ?? 100_000);
const PAY_AT_ONCE = 32;
const FETCH_PAYMENT = 'GET /payments/:svc_uid';

type Ids = { svc_uid: string; merchant_uid: string };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backlog-bench-'));
  chmodSync(folder, 0o711);
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), ports: [0] });
    undo.unshift(() => postgres.stop());
    await administer(postgres.url('postgres'), 'create database merchant');
    await applyMigrations(postgres.url('merchant'));
    const database = new Client(postgres.url('merchant'));
    await database.connect();
    undo.unshift(() => database.end());
    // The lock of reconciliation is ours, so that notifications alone fill the books.
    await database.query('select pg_advisory_lock(79337)');
    const sandbox = await startSandboxProcess(join(__dirname, '..'));
    undo.unshift(() => sandbox.kill());

    const late = await payAtService(sandbox.url, 'late', BACKLOG);
    const fresh = await payAtService(sandbox.url, 'fresh', Math.max(500, Math.ceil(BACKLOG / 20)));
    await registerOrders(database, [...late, ...fresh]);
    await queueNotifications(database, late);
    await control(sandbox.url, 'POST', '/faults', { endpoint: FETCH_PAYMENT, status: 503, times: 1_000_000 });
    const merchant = await startMerchantProcess({
      DATABASE_URL: postgres.url('merchant'),
      SERVICE_BASE_URL: sandbox.url,
      SERVICE_V2_BASE_URL: sandbox.url,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    });
    undo.unshift(() => merchant.kill('SIGTERM'));
    await notify(merchant.port, fresh.pop());
    // Long enough for the first probe to find the service away.
    await pause(16_000);
    await control(sandbox.url, 'DELETE', '/faults');
    await measure(database, merchant, fresh);
  } finally {
    for (const each of undo) await each();
  }
}

async function measure(database: Client, merchant: MerchantProcess, fresh: Ids[]): Promise<void> {
  const { rows: backends } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(backends[0]?.pid ?? 0);
  const cpu = () => [cpuMs(merchant.pid), familyCpuMs(postmaster)] as const;
  const before = cpu();
  const returnedMs = performance.now();
  const seconds = () => (performance.now() - returnedMs) / 1_000;
  const answeredMs: number[] = [];
  let beganAt: number | null = null;
  for (let open = BACKLOG; open > 0; open = await countOpen(database)) {
    if (open < BACKLOG) beganAt ??= seconds();
    const ids = fresh.pop();
    const sentMs = performance.now();
    await notify(merchant.port, ids);
    if (ids) answeredMs.push(performance.now() - sentMs);
    await pause(100);
  }
  const total = seconds();
  const [merchantCpu, postgresCpu] = cpu().map((ms, i) => ((ms - (before[i] ?? 0)) / BACKLOG).toFixed(2));
  console.log(`CPU for each: merchant ${merchantCpu} ms, PostgreSQL ${postgresCpu} ms`);
  answeredMs.sort((one, other) => one - other);
  const at = (part: number) => Math.round(answeredMs[Math.floor(answeredMs.length * part)] ?? 0);
  console.log(
    `${BACKLOG} notifications waited; the first was judged ${beganAt?.toFixed(1)} s after the return`,
  );
  console.log(`all judged after ${total.toFixed(1)} s (${Math.round(BACKLOG / total)}/s)`);
  console.log(
    `${answeredMs.length} new ones meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms`,
  );
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from orders where status = 'paid' and merchant_uid like 'late-%'`,
  );
  console.log(`orders paid: ${rows[0]?.count}`);
  if (rows[0]?.count !== BACKLOG) process.exitCode = 1;
}

async function countOpen(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from notifications where next_attempt_at is not null and svc_uid is not null`,
  );
  return rows[0]?.count ?? 0;
}

async function notify(port: number, ids: Ids | undefined): Promise<void> {
  if (!ids) return;
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' },
    body: JSON.stringify({ ...ids, status: 'paid' }),
  });
  await response.text();
}

/** Payments that were paid at the service, and of which nobody was told. */
async function payAtService(url: string, name: string, count: number): Promise<Ids[]> {
  const made: Ids[] = [];
  await Promise.all(
    Array.from({ length: PAY_AT_ONCE }, async (_, worker) => {
      for (let n = worker; n < count; n += PAY_AT_ONCE) {
        const payment = { merchant_uid: `${name}-${n}`, amount: 1_000, notify: false };
        const { svc_uid, merchant_uid } = (await control(url, 'POST', '/payments', payment)) as Ids;
        made.push({ svc_uid, merchant_uid });
      }
    }),
  );
  return made;
}

async function control(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}

async function registerOrders(database: Client, ids: readonly Ids[]): Promise<void> {
  await database.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select uid, 'Tea', 1000, 'KRW', now(), now() from unnest($1::text[]) as uid`,
    [ids.map(({ merchant_uid }) => merchant_uid)],
  );
}

/** As they are after a day without the service: their next attempt is up to a quarter of an hour off. */
async function queueNotifications(database: Client, ids: readonly Ids[]): Promise<void> {
  await database.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select now() - random() * interval '1 day', 'legacy', svc_uid, merchant_uid, 'paid', '52.78.100.19',
       'queued', 'server_error', 9, now(), now() + (2 + 13 * random()) * interval '1 minute'
     from jsonb_to_recordset($1::jsonb) as paid (svc_uid text, merchant_uid text)`,
    [JSON.stringify(ids)],
  );
  await database.query('analyze');
}

void main();
