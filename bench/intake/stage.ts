// What the measurement of the intake runs on: one durable PostgreSQL, the stand-in for the service, and each program as a
// process with a database of its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { administer } from '../../src/local/postgres/databases';
import { startEmbeddedPostgres } from '../../src/local/postgres/embedded-postgres';
import { applyMigrations } from '../../src/merchant/migrations';
import { startMerchantProcess } from '../../test/support/merchant-process';
import { parentOf } from '../cpu';
import { LIMIT_SCHEMA } from './programs/limit-schema';

export const PROGRAMS = ['plain limit', 'batched limit', 'examples’ way', 'product'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const SCRIPTS = {
  'plain limit': 'plain-limit',
  'batched limit': 'batched-limit',
  'examples’ way': 'examples-way',
} as const satisfies Record<Exclude<ProgramName, 'product'>, string>;

export type Program = { name: ProgramName; port: number; pid: number; database: Client };
export type Stage = { programs: Program[]; postmaster: number; close(): Promise<void> };

/**
 * @param orders how many orders each program expects, `order-1` and so on, of 1,000 won
 * @param old how many settled notifications and paid orders the product has beside them
 */
export async function openStage({ orders, old }: { orders: number; old: number }): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  // PostgreSQL runs as somebody else where this is root.
  chmodSync(folder, 0o711);
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const each of undo.splice(0)) await each();
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), ports: [0] });
    undo.unshift(() => postgres.stop());
    const service = await startProgram('service', {});
    undo.unshift(() => stop(service.child));
    const environment = { SERVICE_BASE_URL: `http://127.0.0.1:${service.port}` };
    const programs: Program[] = [];
    for (const [index, name] of PROGRAMS.entries()) {
      const database = await createDatabase(postgres.url, `intake_${index}`, name, { orders, old });
      undo.unshift(() => database.end());
      const settings = { ...environment, DATABASE_URL: postgres.url(`intake_${index}`) };
      const process = name === 'product' ? await startProduct(settings) : await startOther(name, settings);
      undo.unshift(() => process.stop());
      programs.push({ name, port: process.port, pid: process.pid, database });
    }
    return { programs, postmaster: await postmasterOf(programs), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createDatabase(
  url: (name: string) => string,
  database: string,
  program: ProgramName,
  { orders, old }: { orders: number; old: number },
): Promise<Client> {
  await administer(url('postgres'), `create database ${database}`);
  const isOurs = program === 'product' || program === 'examples’ way';
  if (isOurs) await applyMigrations(url(database));
  const client = new Client(url(database));
  await client.connect();
  if (!isOurs) await client.query(LIMIT_SCHEMA);
  const columns = isOurs ? ', name, created_at, updated_at' : '';
  const values = isOurs ? `, 'Tea', now(), now()` : '';
  await client.query(
    `insert into orders (merchant_uid, amount, currency${columns})
     select 'order-' || n, 1000, 'KRW'${values} from generate_series(1, $1::int) as n`,
    [orders],
  );
  if (program === 'product') {
    await addOldRows(client, old);
    // The lock of reconciliation is ours, so that nothing but notifications works.
    await client.query('select pg_advisory_lock(79337)');
  }
  await client.query('vacuum analyze');
  return client;
}

async function addOldRows(client: Client, old: number): Promise<void> {
  await client.query(
    `insert into orders (merchant_uid, name, amount, currency, status, version, created_at, updated_at)
     select 'old-' || n, 'Tea', 1000, 'KRW', 'paid', 1, now() - interval '30 days', now() - interval '30 days'
     from generate_series(1, $1::int) as n`,
    [old],
  );
  await client.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, attempts, judged_at)
     select now() - interval '30 days', 'legacy', 'svc_old_' || n, 'old-' || n, 'paid', '52.78.100.19',
       'recorded', 1, now() - interval '30 days'
     from generate_series(1, $1::int) as n`,
    [old],
  );
  await client.query(
    `insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
     select 'svc_old_' || n, 'old-' || n, 'paid', 1000, 'KRW', '{}', now() - interval '30 days',
       now() - interval '30 days', now() - interval '30 days'
     from generate_series(1, $1::int) as n`,
    [old],
  );
}

type Running = { port: number; pid: number; stop: () => Promise<unknown> };

async function startProduct(settings: Record<string, string>): Promise<Running> {
  const merchant = await startMerchantProcess({
    ...settings,
    SERVICE_V2_BASE_URL: settings['SERVICE_BASE_URL'] ?? '',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  return { port: merchant.port, pid: merchant.pid, stop: () => merchant.kill('SIGTERM') };
}

async function startOther(
  name: Exclude<ProgramName, 'product'>,
  settings: Record<string, string>,
): Promise<Running> {
  const { child, port } = await startProgram(SCRIPTS[name], settings);
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function startProgram(script: string, environment: Record<string, string>) {
  const file = join(__dirname, 'programs', `${script}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function postmasterOf([first]: readonly Program[]): Promise<number> {
  const answer = await first?.database.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(answer?.rows[0]?.pid ?? 0);
}
