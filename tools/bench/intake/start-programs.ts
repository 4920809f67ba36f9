// Starts the stand-in for the service, and each program as a process with its own database.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Client } from 'pg';
import { administer } from '../../../src/local/postgres/databases';
import { migrateDatabase } from '../../../src/merchant/platform/migrations';
import { startMerchantProcess } from '../../../test/support/processes';
import {
  builtMerchant,
  connectTo,
  createMerchantDatabase,
  keepFromReconciling,
  postmasterOf,
  type Stage,
} from '../stage';
import { LIMIT_SCHEMA } from './programs/limit-schema';

export const PROGRAMS = ['plain limit', 'batched limit', 'same books', 'minimal example', 'product'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const SCRIPTS = {
  'plain limit': 'plain-limit',
  'batched limit': 'batched-limit',
  'same books': 'books-limit',
} as const satisfies Record<Exclude<ProgramName, 'minimal example' | 'product'>, string>;

const MINIMAL = join(__dirname, '..', '..', '..', 'examples', 'minimal');

export type Program = {
  name: ProgramName;
  port: number;
  pid: number;
  database: Client;
  databaseName: string;
  postmaster: number;
  stop: () => Promise<unknown>;
};

/** `orders`: open orders of 1,000 won, `order-1` and so on. `old`: resolved notifications and paid orders of the product. */
export type Books = { orders: number; old: number };

/** Returns the address of the stand-in. */
export async function startService(stage: Stage): Promise<string> {
  const { port, stop } = await startScript('service', {});
  stage.onEnd(stop);
  return `http://127.0.0.1:${port}`;
}

/** @param nodeFlags of the product's process */
export async function startProgram(
  stage: Stage,
  name: ProgramName,
  serviceUrl: string,
  books: Books,
  nodeFlags: string[] = [],
): Promise<Program> {
  const databaseName = `intake_${PROGRAMS.indexOf(name)}`;
  const database = await createDatabase(stage, databaseName, name, books);
  const settings = {
    SERVICE_BASE_URL: serviceUrl,
    DATABASE_URL: stage.databaseUrl(databaseName),
  };
  const running = await startRunning();
  stage.onEnd(running.stop);
  return { ...running, name, database, databaseName, postmaster: await postmasterOf(database) };

  function startRunning(): Promise<Running> {
    if (name === 'product') return startProduct(stage, settings, nodeFlags);
    if (name === 'minimal example') return startMinimal(settings);
    return startScript(SCRIPTS[name], settings);
  }
}

async function createDatabase(
  stage: Stage,
  database: string,
  program: ProgramName,
  { orders, old }: Books,
): Promise<Client> {
  const client = await createTables(stage, database, program);
  const [columns, values] = MORE_COLUMNS[program] ?? ['', ''];
  await client.query(
    `insert into orders (merchant_uid, amount, currency${columns})
     select 'order-' || n, 1000, 'KRW'${values} from generate_series(1, $1::int) as n`,
    [orders],
  );
  if (program === 'product') {
    if (old > 0) await addOldRows(client, old);
    await keepFromReconciling(client);
  }
  // Not the empty tables: PostgreSQL would note that they are empty, and plan for that while the first rows arrive. A shop's
  // empty tables are not analysed either.
  await client.query('vacuum analyze orders');
  return client;
}

/** What an order has beside the columns of the limit programs. */
const MORE_COLUMNS: Partial<Record<ProgramName, [columns: string, values: string]>> = {
  'minimal example': [', name', `, 'Tea'`],
  product: [', name, created_at, updated_at', `, 'Tea', now(), now()`],
};

async function createTables(stage: Stage, database: string, program: ProgramName): Promise<Client> {
  if (program === 'product') return createMerchantDatabase(stage, database);
  await administer(stage.databaseUrl('postgres'), `create database ${database}`);
  if (program === 'minimal example')
    await migrateDatabase(stage.databaseUrl(database), {
      folder: join(MINIMAL, 'prisma', 'migrations'),
      alsoJobEngine: false,
    });
  const client = await connectTo(stage, database);
  if (program in SCRIPTS) await client.query(LIMIT_SCHEMA);
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
  await client.query(
    `with events_inserted as (
       insert into events (stream, version, type, data, occurred_at, position)
       select 'old-' || n, 1, 'order.paid', '{}', now() - interval '30 days', nextval('events_position_seq')
       from generate_series(1, $1::int) as n returning id, stream
     )
     insert into event_deliveries (event_id, target, stream, attempts, delivered_at)
     select id, 'handler', stream, 1, now() - interval '30 days' from events_inserted`,
    [old],
  );
  await client.query('vacuum analyze notifications, payments, events, event_deliveries');
}

type Running = Pick<Program, 'port' | 'pid' | 'stop'>;

async function startProduct(
  stage: Stage,
  settings: Record<string, string>,
  nodeFlags: string[],
): Promise<Running> {
  const merchant = await startMerchantProcess(
    {
      ...settings,
      SERVICE_V2_BASE_URL: settings['SERVICE_BASE_URL'] ?? '',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    { root: builtMerchant(stage), nodeFlags },
  );
  return { port: merchant.port, pid: merchant.pid, stop: () => merchant.kill('SIGINT') };
}

/** It reports its port as the first line of its log. The rest is read, and dropped. */
async function startMinimal(settings: Record<string, string>): Promise<Running> {
  const environment = {
    ...settings,
    PORT: '0',
    SERVICE_KEY: 'key',
    SERVICE_SECRET: 'secret',
    API_KEY: 'key-of-the-benchmark',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const { child, stop } = spawnSource(join(MINIMAL, 'server.ts'), environment, 'pipe');
  const lines = createInterface({ input: child.stdout as Readable });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error('the minimal example did not start');
  lines.close();
  child.stdout?.resume();
  return { port: (JSON.parse(line) as { port: number }).port, pid: child.pid ?? 0, stop };
}

async function startScript(script: string, environment: Record<string, string>): Promise<Running> {
  const file = join(__dirname, 'programs', `${script}.ts`);
  const { child, stop } = spawnSource(file, environment, 'inherit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid ?? 0, stop };
}

function spawnSource(file: string, environment: Record<string, string>, log: 'inherit' | 'pipe') {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { child, stop };
}
