// Measures how long a backlog takes: notifications queued during an outage of the service, on a durable PostgreSQL, with the
// sandbox as the service and one merchant process. Meanwhile a new notification is sent every 0.1 s. Writes
// docs/project/performance/backlog.md.
// Run: npm run bench -- backlog [notifications, default 100000]

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { createPaymentStore } from '../../src/sandbox/payments/payment-store';
import { startPayment } from '../../src/sandbox/payments/start-payment';
import { createDataFolder } from '../../src/sandbox/state/data-folder';
import { startSandboxProcess, type MerchantProcess, type SandboxProcess } from '../../test/support/processes';
import { createSandboxControls, FETCH_PAYMENT } from '../../test/support/sandbox-controls';
import { cpuMs, familyCpuMs } from './cpu';
import type { Notice } from './load';
import {
  createMerchantDatabase,
  keepFromReconciling,
  onStage,
  postmasterOf,
  registerOrders,
  startMerchant,
  type Stage,
} from './stage';
import { writeFigures } from './write-figures';

const BACKLOG = Number(process.argv[2] ?? 100_000);
/** After the first tenth, memory has reached its working size; later growth is caused by the size of the backlog. */
const WARM = BACKLOG / 10;
const LIMIT_SECONDS = 900;
const MB = 1_024;

void onStage(main);

async function main(stage: Stage): Promise<void> {
  const database = await createMerchantDatabase(stage);
  await keepFromReconciling(database);
  const dataDir = join(stage.folder, 'sandbox');
  const late = payAtService(dataDir, 'late', BACKLOG);
  const fresh = payAtService(dataDir, 'fresh', Math.max(500, Math.ceil(BACKLOG / 10)));
  const sandbox = await startSandboxProcess({ dataDir });
  stage.onEnd(() => sandbox.kill());
  const { fault, clearFaults } = createSandboxControls(sandbox.url);
  await registerOrders(database, [...late, ...fresh]);
  await queueNotifications(database, late);
  await fault({ endpoint: FETCH_PAYMENT, status: 503, times: 1_000_000 });
  const merchant = await startMerchant(stage, sandbox, { LOG_LEVEL: 'warn' });
  await notify(merchant.port, fresh.pop());
  // Long enough for the first probe to fail.
  await pause(16_000);
  await clearFaults();
  await measure(database, { merchant, sandbox }, fresh);
}

type Processes = { merchant: MerchantProcess; sandbox: SandboxProcess };

async function measure(database: Client, { merchant, sandbox }: Processes, fresh: Notice[]): Promise<void> {
  const postmaster = await postmasterOf(database);
  const cpu = () => [cpuMs(merchant.pid), familyCpuMs(postmaster), cpuMs(sandbox.pid)] as const;
  const before = cpu();
  const returnedMs = performance.now();
  const seconds = () => (performance.now() - returnedMs) / 1_000;
  const answeredMs: number[] = [];
  const memory = { before: memoryKb(merchant.pid), warm: 0, most: 0 };
  let beganAt: number | null = null;
  // Counted only once a second, because the count reads all open rows.
  for (let [open, turn] = [BACKLOG, 0]; open > 0; turn += 1) {
    const ids = fresh.pop();
    const sentMs = performance.now();
    await notify(merchant.port, ids);
    if (ids) answeredMs.push(performance.now() - sentMs);
    await pause(100);
    const nowKb = memoryKb(merchant.pid);
    memory.most = Math.max(memory.most, nowKb);
    if (open > BACKLOG - WARM) memory.warm = Math.max(memory.warm, nowKb);
    if (turn % 10 === 0 || open < BACKLOG / 20) open = await countOpen(database);
    if (open < BACKLOG) beganAt ??= seconds();
  }
  const total = seconds();
  const [merchantCpu, postgresCpu, sandboxCpu] = cpu().map((ms, i) => (ms - (before[i] ?? 0)) / BACKLOG);
  answeredMs.sort((one, other) => one - other);
  const at = (part: number) => `${Math.round(answeredMs[Math.floor(answeredMs.length * part)] ?? 0)} ms`;
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from orders where status = 'paid' and merchant_uid like 'late-%'`,
  );
  const paid = rows[0]?.count ?? 0;
  const ms = (value: number | undefined) => `${value?.toFixed(2)} ms`;
  const mb = (kb: number) => `${Math.round(kb / MB)} MB`;
  writeFigures('backlog.md', {
    title: 'A backlog when the service is back',
    command: `npm run bench -- backlog ${BACKLOG}`,
    about: ABOUT,
    figures: [
      ['notifications that waited', String(BACKLOG), ''],
      ['orders paid in the end', String(paid), String(BACKLOG)],
      ['all checked after', `${total.toFixed(0)} s`, `at most ${LIMIT_SECONDS} s for 100000`],
      ['checked in a second', String(Math.round(BACKLOG / total)), ''],
      ['the first one checked after', `${beganAt?.toFixed(1)} s`, ''],
      ['CPU for each: merchant', ms(merchantCpu), ''],
      ['CPU for each: PostgreSQL', ms(postgresCpu), ''],
      ['CPU for each: sandbox', ms(sandboxCpu), ''],
      ['new notifications meanwhile', String(answeredMs.length), ''],
      ['answered: p50', at(0.5), ''],
      ['answered: p99', at(0.99), 'at most 1000 ms'],
      ['answered: longest', at(0.9999), ''],
      ['memory (RSS) before', mb(memory.before), ''],
      [`memory: most while the first ${WARM} are checked`, mb(memory.warm), ''],
      ['memory: most', mb(memory.most), ''],
      ['memory: what the others add', mb(memory.most - memory.warm), 'at most 50 MB'],
    ],
  });
  if (paid !== BACKLOG || total > LIMIT_SECONDS || memory.most - memory.warm > 50 * MB) process.exitCode = 1;
}

const ABOUT = `Notifications were queued while the service was away, and their next attempts lie up to a quarter of an hour off. The
service (the sandbox) is back at second 0; one process checks them, and a new notification comes every tenth
of a second. Sender, sandbox, PostgreSQL (durable: what is committed is on the disk) and merchant share the machine.`;

function memoryKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

/** Writes payments of 1,000 won without notifications into the data folder of a stopped sandbox. */
function payAtService(dataDir: string, prefix: string, count: number): Notice[] {
  mkdirSync(dataDir, { recursive: true });
  const store = createPaymentStore(createDataFolder(dataDir), (digits) => `svc_${digits}`);
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const notices = Array.from({ length: count }, (_, number) => {
    const draft = {
      merchantUid: `${prefix}-${number}`,
      amount: 1_000,
      channel: 'pc',
      status: 'paid',
    } as const;
    const { svcUid, merchantUid } = store.add(startPayment({ ...draft, name: 'Tea' }, nowSeconds));
    return { svc_uid: svcUid, merchant_uid: merchantUid };
  });
  store.close();
  return notices;
}

async function countOpen(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from notifications where next_attempt_at is not null and svc_uid is not null`,
  );
  return rows[0]?.count ?? 0;
}

async function notify(port: number, ids: Notice | undefined): Promise<void> {
  if (!ids) return;
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' },
    body: JSON.stringify({ ...ids, status: 'paid' }),
  });
  await response.text();
}

/** The state after a day without the service: the next attempts are due within 15 minutes. */
async function queueNotifications(database: Client, notices: readonly Notice[]): Promise<void> {
  await database.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select now() - random() * interval '1 day', 'legacy', svc_uid, merchant_uid, 'paid', '52.78.100.19',
       'queued', 'server_error', 9, now(), now() + (2 + 13 * random()) * interval '1 minute'
     from jsonb_to_recordset($1::jsonb) as paid (svc_uid text, merchant_uid text)`,
    [JSON.stringify(notices)],
  );
  // Not the whole database: statistics of empty tables would mislead the planner.
  await database.query('analyze notifications');
}
