// Starts what is measured beside each other: the stand-in for the service, and each program as a process with a database of
// its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { administer } from '../../src/local/postgres/databases';
import { startMerchantProcess } from '../../test/support/merchant-process';
import { connectTo, createMerchantDatabase, keepFromReconciling, postmasterOf, type Stage } from '../stage';
import { LIMIT_SCHEMA } from './programs/limit-schema';

export const PROGRAMS = ['plain limit', 'batched limit', 'examples’ way', 'product'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const SCRIPTS = {
  'plain limit': 'plain-limit',
  'batched limit': 'batched-limit',
  'examples’ way': 'examples-way',
} as const satisfies Record<Exclude<ProgramName, 'product'>, string>;

export type Program = { name: ProgramName; port: number; pid: number; database: Client };
export type Programs = { programs: Program[]; postmaster: number };

/**
 * @param orders how many orders each program expects, `order-1` and so on, of 1,000 won
 * @param old how many settled notifications and paid orders the product has beside them
 */
export async function startPrograms(
  stage: Stage,
  { orders, old }: { orders: number; old: number },
): Promise<Programs> {
  const service = await startProgram('service', {});
  stage.onEnd(() => stop(service.child));
  const environment = { SERVICE_BASE_URL: `http://127.0.0.1:${service.port}` };
  const programs: Program[] = [];
  for (const [index, name] of PROGRAMS.entries()) {
    const databaseName = `intake_${index}`;
    const database = await createDatabase(stage, databaseName, name, { orders, old });
    const settings = { ...environment, DATABASE_URL: stage.databaseUrl(databaseName) };
    const running = name === 'product' ? await startProduct(settings) : await startOther(name, settings);
    stage.onEnd(() => running.stop());
    programs.push({ name, port: running.port, pid: running.pid, database });
  }
  const [first] = programs as [Program];
  return { programs, postmaster: await postmasterOf(first.database) };
}

async function createDatabase(
  stage: Stage,
  database: string,
  program: ProgramName,
  { orders, old }: { orders: number; old: number },
): Promise<Client> {
  const isOurs = program === 'product' || program === 'examples’ way';
  const client = isOurs ? await createMerchantDatabase(stage, database) : await createEmpty(stage, database);
  const columns = isOurs ? ', name, created_at, updated_at' : '';
  const values = isOurs ? `, 'Tea', now(), now()` : '';
  await client.query(
    `insert into orders (merchant_uid, amount, currency${columns})
     select 'order-' || n, 1000, 'KRW'${values} from generate_series(1, $1::int) as n`,
    [orders],
  );
  if (program === 'product') {
    await addOldRows(client, old);
    await keepFromReconciling(client);
  }
  await client.query('vacuum analyze');
  return client;
}

async function createEmpty(stage: Stage, database: string): Promise<Client> {
  await administer(stage.databaseUrl('postgres'), `create database ${database}`);
  const client = await connectTo(stage, database);
  await client.query(LIMIT_SCHEMA);
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
