// Session limits prevent a statement from holding a connection for ever (row M37 of docs/13-faults.md). PostgreSQL cancels one of
// two deadlocked statements, which is then retried (row F7).

import { Client } from 'pg';
import { openDatabase, type Database } from '../../src/merchant/platform/database';
import { startFreezingProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { endSessions } from '../support/postgres';
import { queryOnce } from '../support/rows';
import { useDatabase } from '../support/use-world';

const opened = useDatabase();

const admin = (sql: string) => queryOnce(opened.url, sql);
const running = (query: string) =>
  admin(
    `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%${query}%'`,
  );

/** The code of the error of a statement; null if it succeeds. */
const codeOf = (statement: Promise<unknown>) =>
  statement.then(
    () => null,
    ({ name, code }: { name: string; code: string }) => (name === 'DatabaseError' ? code : name),
  );

/** A connection that holds a lock until `end()`. */
async function holding(lock: string): Promise<Client> {
  const holder = new Client({ connectionString: opened.url });
  await holder.connect();
  await holder.query(`begin; ${lock}`);
  return holder;
}

/** How the server ends a statement. Its limits are a little shorter than ours, but on a busy machine ours may end first. */
async function endedByServer(statement: () => Promise<unknown>, tries = 5): Promise<string | null> {
  const code = await codeOf(statement());
  return code === 'ETIMEDOUT' && tries > 1 ? endedByServer(statement, tries - 1) : code;
}

test('M37 a statement waits two seconds for a lock and is then ended by the server', async () => {
  const holder = await holding('lock table orders');
  try {
    expect(await endedByServer(() => opened.database.order.count())).toBe('55P03');
  } finally {
    await holder.end();
  }
  expect(await opened.database.order.count()).toBe(0);
});

test('M37 a statement that takes too long is ended by the server before we stop waiting', async () => {
  expect(await endedByServer(() => opened.database.$queryRaw`select pg_sleep(20)::text`)).toBe('57014');
  await eventually(async () => (await running('pg_sleep(20)')).length === 0);
});

test('M2 a transaction whose connection stops answering is ended, and the server releases its locks', async () => {
  await admin(`insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
    values ('silent', 'Tea', 1, 'KRW', now(), now())`);
  const proxy = await startFreezingProxy(opened.url);
  const behindProxy = openDatabase(proxy.url);
  try {
    const outcome = codeOf(
      behindProxy.$transaction([
        behindProxy.$executeRaw`update orders set name = 'Coffee'`,
        behindProxy.$queryRaw`select pg_sleep(2)::text`,
      ]),
    );
    await eventually(async () => (await running('pg_sleep(2)')).length > 0);
    proxy.freeze();
    // A frozen connection transmits nothing, so one of our limits ends this.
    expect(await outcome).not.toBeNull();
    // Its connection is not used again.
    expect(await behindProxy.order.findMany({ select: { name: true } })).toEqual([{ name: 'Tea' }]);
    const write = () => opened.database.order.updateMany({ data: { name: 'Milk' } });
    await eventually(async () => (await codeOf(write())) === null);
    expect(await opened.database.order.findMany({ select: { name: true } })).toEqual([{ name: 'Milk' }]);
  } finally {
    await behindProxy.$disconnect();
    await proxy.close();
  }
});

test('M11 writes continue after a failover without a restart: connections to the read-only server are dropped', async () => {
  const name = new URL(opened.url).pathname.slice(1);
  const write = () => codeOf(opened.database.order.updateMany({ data: { name: 'Juice' } }));
  await admin(`alter database ${name} set default_transaction_read_only = on`);
  await endSessions(opened.url);
  expect(await write()).not.toBeNull();
  await Promise.all(Array.from({ length: 8 }, () => opened.database.order.count()));
  await admin(`begin read write; alter database ${name} set default_transaction_read_only = off; commit`);
  expect(await write()).toBe('25006');
  expect(await write()).toBeNull();
});

test('F7 a statement that lost a deadlock is repeated, and both are written', async () => {
  const [one, two] = [opened.database, openDatabase(opened.url)];
  await admin('create table pairs (id int primary key, n int not null default 0)');
  await admin('insert into pairs values (1), (2)');
  const holder = await holding('select pg_advisory_xact_lock(1)');
  try {
    // Each locks its first row, waits until the other has locked the second, and then requests that one.
    const takeBoth = (database: Database, first: number, second: number) => database.$executeRaw`
      with a as materialized (update pairs set n = n + 1 where id = ${first} returning id),
        pause as materialized (select pg_advisory_xact_lock_shared(1) from a)
      update pairs set n = n + 1 from (select count(*) from pause) as p where id = ${second}`;
    const both = Promise.all([takeBoth(one, 1, 2), takeBoth(two, 2, 1)]);
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await eventually(async () => (await admin(waiting)).length === 2);
    await holder.query('commit');
    await both;
    expect(await admin('select id, n from pairs order by id')).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ]);
    const deadlocks = `select from pg_stat_database where datname = current_database() and deadlocks > 0`;
    await eventually(async () => (await admin(deadlocks)).length === 1);
  } finally {
    await holder.end();
    await two.$disconnect();
  }
});
