// How long a backlog takes: notifications that were queued while the service was away, on a durable PostgreSQL, with the
// sandbox as the service and one merchant process. Meanwhile a new notification is sent every tenth of a second.
// Run: npm run bench:backlog -- [notifications, default 100000]

import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { FETCH_PAYMENT } from '../test/support/endpoints';
import type { MerchantProcess } from '../test/support/merchant-process';
import { createSandboxControls } from '../test/support/sandbox-controls';
import { cpuMs, familyCpuMs } from './cpu';
import type { Notice } from './load';
import {
  createMerchantDatabase,
  keepFromReconciling,
  onStage,
  payAtService,
  postmasterOf,
  registerOrders,
  startMerchant,
  startSandbox,
  type Stage,
} from './stage';

const BACKLOG = Number(process.argv[2] ?? 100_000);

void onStage(main);

async function main(stage: Stage): Promise<void> {
  const database = await createMerchantDatabase(stage);
  await keepFromReconciling(database);
  const sandbox = await startSandbox(stage);
  const { fault, clearFaults } = createSandboxControls(sandbox.url);

  const late = await payAtService(sandbox.url, 'late', BACKLOG);
  const fresh = await payAtService(sandbox.url, 'fresh', Math.max(500, Math.ceil(BACKLOG / 20)));
  await registerOrders(database, [...late, ...fresh]);
  await queueNotifications(database, late);
  await fault({ endpoint: FETCH_PAYMENT, status: 503, times: 1_000_000 });
  const merchant = await startMerchant(stage, sandbox, { LOG_LEVEL: 'warn' });
  await notify(merchant.port, fresh.pop());
  // Long enough for the first probe to find the service away.
  await pause(16_000);
  await clearFaults();
  await measure(database, merchant, fresh);
}

async function measure(database: Client, merchant: MerchantProcess, fresh: Notice[]): Promise<void> {
  const postmaster = await postmasterOf(database);
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

async function notify(port: number, ids: Notice | undefined): Promise<void> {
  if (!ids) return;
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' },
    body: JSON.stringify({ ...ids, status: 'paid' }),
  });
  await response.text();
}

/** As they are after a day without the service: their next attempt is up to a quarter of an hour off. */
async function queueNotifications(database: Client, notices: readonly Notice[]): Promise<void> {
  await database.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select now() - random() * interval '1 day', 'legacy', svc_uid, merchant_uid, 'paid', '52.78.100.19',
       'queued', 'server_error', 9, now(), now() + (2 + 13 * random()) * interval '1 minute'
     from jsonb_to_recordset($1::jsonb) as paid (svc_uid text, merchant_uid text)`,
    [JSON.stringify(notices)],
  );
  await database.query('analyze');
}
