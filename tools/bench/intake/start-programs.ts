// Starts the stand-in for the service, and each program as a process with its own database.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { administer } from '../../../src/local/postgres/databases';
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

export const PROGRAMS = ['plain limit', 'batched limit', 'same books', 'examples’ way', 'product'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const SCRIPTS = {
  'plain limit': 'plain-limit',
  'batched limit': 'batched-limit',
  'same books': 'books-limit',
  'examples’ way': 'examples-way',
} as const satisfies Record<Exclude<ProgramName, 'product'>, string>;

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
  const running =
    name === 'product'
      ? await startProduct(stage, settings, nodeFlags)
      : await startScript(SCRIPTS[name], settings);
  stage.onEnd(running.stop);
  return { ...running, name, database, databaseName, postmaster: await postmasterOf(database) };
}

async function createDatabase(
  stage: Stage,
  database: string,
  program: ProgramName,
  { orders, old }: Books,
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
    if (old > 0) await addOldRows(client, old);
    await keepFromReconciling(client);
  }
  // Not the empty tables: PostgreSQL would note that they are empty, and plan for that while the first rows arrive. A shop's
  // empty tables are not analysed either.
  await client.query('vacuum analyze orders');
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

async function startScript(script: string, environment: Record<string, string>): Promise<Running> {
  const file = join(__dirname, 'programs', `${script}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    pid: child.pid ?? 0,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
