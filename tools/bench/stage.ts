// The resources of a measurement: its own folder and PostgreSQL, and the programs that it starts. All are removed at the end, in
// reverse order.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { administer } from '../../src/local/postgres/databases';
import { startEmbeddedPostgres } from '../../src/local/postgres/embedded-postgres';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import {
  programsFolder,
  startMerchantProcess,
  startSandboxProcess,
  type MerchantProcess,
  type SandboxProcess,
} from '../../test/support/processes';
import { RECONCILIATION_LOCK } from '../../test/support/reconciliation';
import { parentOf } from './cpu';
import { post, type Notice } from './load';

export type Stage = {
  folder: string;
  /** The address of a database on this PostgreSQL. */
  databaseUrl(name: string): string;
  onEnd(step: () => unknown): void;
};

const AT_ONCE = 16;

/** @param options `isDurable`: commits are flushed to disk; `settings`: additional settings of PostgreSQL */
export async function onStage<Result>(
  act: (stage: Stage) => Promise<Result>,
  { isDurable = true, settings = [] }: { isDurable?: boolean; settings?: string[] } = {},
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  // If this process is root, PostgreSQL runs under another account.
  chmodSync(folder, 0o711);
  const steps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const onEnd = (step: () => unknown) => void steps.unshift(step);
  try {
    const dataDir = join(folder, 'postgres');
    const postgres = await startEmbeddedPostgres({ dataDir, ports: [0], fast: !isDurable, settings });
    onEnd(() => postgres.stop());
    return await act({ folder, databaseUrl: postgres.url, onEnd });
  } finally {
    for (const each of steps) await each();
  }
}

const ROOT = join(__dirname, '..', '..');

/** Compiles the merchant as for a deployment, and returns the folder. In a test it is compiled already. */
export function builtMerchant({ folder }: Stage): string {
  if (programsFolder() !== ROOT) return programsFolder();
  const built = join(folder, 'merchant');
  if (existsSync(built)) return built;
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), built, '--noCheck']);
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  return built;
}

/** Creates a merchant's database with all migrations, and returns a connection to it. */
export async function createMerchantDatabase(stage: Stage, name = 'merchant'): Promise<Client> {
  await administer(stage.databaseUrl('postgres'), `create database ${name}`);
  await migrateDatabase(stage.databaseUrl(name));
  return connectTo(stage, name);
}

export async function connectTo(stage: Stage, name: string): Promise<Client> {
  const database = new Client(stage.databaseUrl(name));
  await database.connect();
  stage.onEnd(() => database.end());
  return database;
}

export async function startSandbox(stage: Stage): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess();
  stage.onEnd(() => sandbox.kill());
  return sandbox;
}

/** Starts a merchant on the database `merchant`. It trusts X-Forwarded-For of proxies on this machine. */
export async function startMerchant(
  stage: Stage,
  service: { url: string },
  environment: Record<string, string> = {},
): Promise<MerchantProcess> {
  const settings = {
    DATABASE_URL: stage.databaseUrl('merchant'),
    SERVICE_BASE_URL: service.url,
    SERVICE_V2_BASE_URL: service.url,
    TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  };
  const merchant = await startMerchantProcess(settings, { root: builtMerchant(stage) });
  stage.onEnd(() => merchant.kill('SIGTERM'));
  return merchant;
}

/** Holds the lock of reconciliation, so that only notifications write payments. */
export async function keepFromReconciling(database: Client): Promise<void> {
  await database.query('select pg_advisory_lock($1)', [RECONCILIATION_LOCK]);
}

/** Makes payments of 1,000 won at the service, without notifications. */
export async function payAtService(sandboxUrl: string, prefix: string, count: number): Promise<Notice[]> {
  const notices: Notice[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (let number = worker; number < count; number += AT_ONCE) {
        const payment = { merchant_uid: `${prefix}-${number}`, amount: 1_000, notify: false };
        const made = await post(agent, `${sandboxUrl}/_sandbox/payments`, payment);
        const { svc_uid, merchant_uid } = JSON.parse(made) as Notice;
        notices.push({ svc_uid, merchant_uid });
      }
    }),
  );
  agent.destroy();
  return notices;
}

export async function registerOrders(database: Client, notices: readonly Notice[]): Promise<void> {
  await database.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select uid, 'Tea', 1000, 'KRW', now(), now() from unnest($1::text[]) as uid`,
    [notices.map(({ merchant_uid }) => merchant_uid)],
  );
  await database.query('analyze orders');
}

/** The process id of the postmaster. */
export async function postmasterOf(database: Client): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}
