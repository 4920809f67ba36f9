// The session of each connection is ours, whatever the URL, the role or the database say (O14). A database that cannot be right is
// refused by `migrate`, by the start and by doctor, with the reason that PostgreSQL has named.

import { administer } from '../../src/local/postgres/databases';
import { makeRoles } from '../../src/local/postgres/roles';
import { openDatabase, type Database } from '../../src/merchant/platform/database';
import { databaseReasonText } from '../../src/merchant/platform/database-problems';
import { DatabaseError } from '../../src/merchant/platform/errors';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { startMerchant } from '../../src/merchant/start-merchant';
import { createManualClock } from '../support/clock';
import { testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';
import { paySilently, registerOrder } from '../support/orders';
import { createEmptyDatabase, createTestDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';
import { startWorld } from '../support/world';

/** What others may have set for the database or the role. */
const FOREIGN = {
  timezone: "'Asia/Seoul'",
  datestyle: "'German'",
  intervalstyle: "'iso_8601'",
  search_path: 'pg_catalog',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  standard_conforming_strings: 'off',
};
const IN_URL = ['timezone=Asia/Seoul', 'statement_timeout=0', 'search_path=public', 'DateStyle=German']
  .map((each) => `-c ${each}`)
  .join(' ');

async function sessionOf(database: Database) {
  return database.$queryRaw`select current_setting('TimeZone') as zone, current_setting('DateStyle') as dates,
    current_setting('IntervalStyle') as intervals, current_schema()::text as schema,
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('transaction_isolation') as isolation, current_setting('standard_conforming_strings') as strings`;
}
const OURS = {
  zone: 'UTC',
  dates: 'ISO, MDY',
  intervals: 'postgres',
  schema: 'public',
  statement: '2500ms',
  lock: '2s',
  idle: '5s',
  isolation: 'read committed',
  strings: 'on',
};

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const withOptions = (url: string, options: string) => `${url}?options=${encodeURIComponent(options)}`;

/** The error of a statement, as the reason that a person reads. */
async function reasonOf(url: string, sql = 'select 1'): Promise<string> {
  const opened = openDatabase(url, { connections: 1 });
  try {
    return await opened.$queryRawUnsafe(sql).then(
      () => 'none',
      ({ code }: { code: string }) => databaseReasonText(code),
    );
  } finally {
    await opened.$disconnect();
  }
}

test('O14 settings of database and URL change no session: a payment is recorded at the right time, and jobs run when due', async () => {
  const world = await startWorld({
    async databaseThrough(url) {
      for (const [name, value] of Object.entries(FOREIGN))
        await administer(url, `alter database ${nameOf(url)} set ${name} = ${value}`);
      return withOptions(url, IN_URL);
    },
  });
  const opened = openDatabase(withOptions(world.databaseUrl, IN_URL));
  try {
    const merchantUid = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    expect(await world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' })).toMatchObject({
      status: 200,
    });
    await world.runEveryMinute(60);
    const stored = `select extract(epoch from created_at)::bigint::text as at from public.orders`;
    const [order] = await queryOnce<{ at: string }>(world.databaseUrl, stored);
    expect(Math.abs(Number(order?.at ?? 0) - world.clock.nowMs() / 1000)).toBeLessThan(600);
    const jobs = 'select last_error from graphile_worker.jobs where last_error is not null';
    expect(await queryOnce(world.databaseUrl, jobs)).toEqual([]);
    const serializable = `alter database ${nameOf(world.databaseUrl)} set default_transaction_isolation = 'serializable'`;
    await administer(world.databaseUrl, serializable);
    expect(await sessionOf(opened)).toEqual([OURS]);
  } finally {
    await opened.$disconnect();
    await world.close();
  }
});

test('O14 migrations come into the schema of all statements, without a limit of time, whatever the role says', async () => {
  const database = await createEmptyDatabase();
  const name = nameOf(database.url);
  try {
    await administer(database.url, 'create schema other');
    await administer(database.url, `alter database ${name} set search_path = other, public`);
    await administer(database.url, `alter database ${name} set statement_timeout = '1ms'`);
    await migrateDatabase(database.url);
    const tables = `select distinct schemaname from pg_tables where tablename in ('orders', '_prisma_migrations')`;
    await administer(database.url, `alter database ${name} reset statement_timeout`);
    expect(await queryOnce(database.url, tables)).toEqual([{ schemaname: 'public' }]);
  } finally {
    await database.drop();
  }
});

test.each([
  ['timezone', "'Asia/Seoul'", 'TimeZone'],
  ['statement_timeout', '0', 'statement_timeout'],
  ['lock_timeout', "'10min'", 'lock_timeout'],
  ['search_path', 'pg_catalog', 'search_path'],
  ['datestyle', "'SQL, DMY'", 'DateStyle'],
  ['default_transaction_isolation', "'serializable'", 'default_transaction_isolation'],
])('O14 behind a pooler a role with %s = %s gets no connection', async (setting, value, name) => {
  const database = await createTestDatabase();
  const roles = await makeRoles(database.url);
  await queryOnce(database.url, `alter role ${roles.runtime} set ${setting} = ${value}`);
  const opened = openDatabase(roles.runtimeUrl, { isPooled: true });
  try {
    await expect(opened.$queryRaw`select 1`).rejects.toThrow(`WRONG_SETTING_${name}`);
  } finally {
    await opened.$disconnect();
    await database.drop();
    await roles.drop();
  }
});

describe.each(['EUC_KR', 'SQL_ASCII', 'LATIN1'])('O14 a database in %s', (encoding) => {
  const name = `encoded_${encoding.toLowerCase()}_${process.pid}`;
  const url = () => String(process.env['TEST_TEMPLATE_URL']).replace(/[^/]+$/, name);
  const admin = (sql: string) =>
    queryOnce(String(process.env['TEST_TEMPLATE_URL']).replace(/[^/]+$/, 'postgres'), sql);
  beforeAll(async () => {
    await admin(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
  });
  afterAll(() => admin(`drop database ${name} with (force)`));

  const SAID = /not in UTF8.*create database merchant encoding 'UTF8'/;

  test('is refused by migrate, by every connection and by the start, with the command that creates a right one', async () => {
    await expect(migrateDatabase(url())).rejects.toThrow(SAID);
    expect(await queryOnce(url(), `select from pg_tables where schemaname = 'public'`)).toEqual([]);
    expect(await reasonOf(url())).toMatch(SAID);
    const { logger } = createRecordedLog();
    const config = testConfig({ DATABASE_URL: url() });
    const start = startMerchant({ config, clock: createManualClock(), logger, role: 'web' });
    await expect(start).rejects.toThrow(SAID);
  });
});

test('each reason that PostgreSQL names is told with its remedy, and not as a database that does not answer', async () => {
  const database = await createTestDatabase();
  const roles = await makeRoles(database.url);
  const name = nameOf(database.url);
  const as = (change: (url: URL) => void) => {
    const url = new URL(roles.runtimeUrl);
    change(url);
    return url.href;
  };
  try {
    const reasons = {
      password: await reasonOf(as((url) => (url.password = 'wrong'))),
      role: await reasonOf(as((url) => (url.username = 'nobody_here'))),
      database: await reasonOf(as((url) => (url.pathname = 'not_there'))),
      dns: await reasonOf(as((url) => (url.hostname = 'not-there.invalid'))),
      port: await reasonOf(as((url) => (url.port = '1'))),
      socket: await reasonOf(`postgresql://merchant@/merchant?host=/not/there`),
      tls: await reasonOf(as((url) => (url.search = '?sslmode=verify-full'))),
      right: await reasonOf(roles.runtimeUrl, 'drop table orders'),
      table: await reasonOf(roles.runtimeUrl, 'select * from not_there'),
      options: await reasonOf(withOptions(roles.runtimeUrl, '-c timezone=Mars/Base')),
    };
    await queryOnce(database.url, `alter role ${roles.runtime} connection limit 0`);
    const full = await reasonOf(roles.runtimeUrl);
    await queryOnce(database.url, `alter role ${roles.runtime} connection limit -1`);
    await queryOnce(database.url, `alter database ${name} set default_transaction_read_only = on`);
    const readOnly = await reasonOf(roles.runtimeUrl, `update orders set name = 'x'`);
    await queryOnce(
      database.url,
      `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
    );
    const said = { ...reasons, full, readOnly };
    expect(said).toEqual({
      password: expect.stringMatching(/refuses user or password \(28P01\).*%XX/),
      role: expect.stringMatching(/refuses .*\(28(P01|000)\)/),
      database: expect.stringMatching(/does not exist \(3D000\)\. Create it: create database/),
      dns: expect.stringMatching(/host name that cannot be resolved.*\((ENOTFOUND|EAI_AGAIN)\)/),
      port: expect.stringMatching(/nothing listens there \(ECONNREFUSED\)/),
      socket: expect.stringMatching(/no socket at the path.*\(ENOENT\)/),
      tls: expect.stringMatching(/offers no TLS.*\(TLS_REFUSED\)/),
      right: expect.stringMatching(/refuses this role a right.*\(42501\).*DATABASE_OWNER_URL/),
      table: expect.stringMatching(/lacks a table.*\(42P01\).*npm run migrate/),
      options: expect.stringMatching(/time zone that it does not know \(22023\)/),
      full: expect.stringMatching(/no connection left.*\(53300\).*pg_stat_activity/),
      readOnly: expect.stringMatching(/is read-only.*\(25006\)/),
    });
    for (const each of Object.values(said)) expect(each).not.toMatch(/does not answer/);
  } finally {
    await database.drop();
    await roles.drop();
  }
});

test('a log line about the database has the reason and the remedy', () => {
  const { logger, events } = createRecordedLog();
  logger.warn({ event: 'jobs_not_started', err: new DatabaseError('42501') });
  expect(events('jobs_not_started')).toMatchObject([
    { err: { code: '42501', reason: expect.stringMatching(/DATABASE_OWNER_URL/) } },
  ]);
});
