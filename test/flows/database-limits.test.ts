// The limits of a session keep one statement from holding a connection for ever (row M37 of docs/faults.md), and of two that
// block each other, PostgreSQL cancels one, which is sent again (row F7).

import { Client } from 'pg';
import { openDatabase, type Database } from '../../src/merchant/database';
import { eventually } from '../support/eventually';
import { startFreezingProxy } from '../support/freezing-proxy';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

const running = (query: string) =>
  queryOnce(
    testDatabase.url,
    `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%${query}%'`,
  );

test('M37 a lock of somebody else is waited for two seconds, and the statement is given back by the server', async () => {
  const holder = new Client({ connectionString: testDatabase.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table orders');
    await expect(database.order.count()).rejects.toMatchObject({ name: 'DatabaseError', code: '55P03' });
  } finally {
    await holder.end();
  }
  expect(await database.order.count()).toBe(0);
});

test('M37 a statement that takes too long is ended by the server itself, before we stop waiting for it', async () => {
  await expect(database.$queryRaw`select pg_sleep(20)::text`).rejects.toMatchObject({
    name: 'DatabaseError',
    code: '57014',
  });
  expect(await running('pg_sleep')).toEqual([]);
});

test('M2 a transaction whose connection goes silent is given up, and the server gives its locks back', async () => {
  const proxy = await startFreezingProxy(testDatabase.url);
  const behindProxy = openDatabase(proxy.url);
  try {
    await queryOnce(
      testDatabase.url,
      `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       values ('silent', 'Tea', 1, 'KRW', now(), now())`,
    );
    const began = performance.now();
    const given = behindProxy.$transaction([
      behindProxy.$executeRaw`update orders set name = 'Coffee'`,
      behindProxy.$queryRaw`select pg_sleep(1)::text`,
    ]);
    const outcome = given.then(
      () => null,
      (error: unknown) => error,
    );
    await eventually(async () => (await running('pg_sleep(1)')).length > 0);
    proxy.freeze();
    expect(await outcome).toMatchObject({ name: 'DatabaseError' });
    expect(performance.now() - began).toBeLessThan(6000);
    // Its connection is not used again.
    expect(await behindProxy.order.findMany({ select: { name: true } })).toEqual([{ name: 'Tea' }]);
    await eventually(() =>
      database.order.updateMany({ data: { name: 'Milk' } }).then(
        ({ count }) => count === 1,
        () => false,
      ),
    );
  } finally {
    await behindProxy.$disconnect();
    await proxy.close();
  }
});

test('M11 a server that only reads after a failover is left, and writes go on where they can, without a restart', async () => {
  const name = new URL(testDatabase.url).pathname.slice(1);
  const admin = (sql: string) => queryOnce(testDatabase.url, sql);
  const write = () => database.order.updateMany({ data: { name: 'Juice' } });
  await admin(`alter database ${name} set default_transaction_read_only = on`);
  await endOthers();
  await expect(write()).rejects.toMatchObject({ name: 'DatabaseError' });
  // More than one connection to the server that only reads.
  await Promise.all(Array.from({ length: 8 }, () => database.order.count()));
  await admin(`begin read write; alter database ${name} set default_transaction_read_only = off; commit`);
  await expect(write()).rejects.toMatchObject({ name: 'DatabaseError', code: '25006' });
  expect((await write()).count).toBeGreaterThanOrEqual(0);

  function endOthers(): Promise<unknown> {
    return admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
  }
});

test('F7 the statement that lost a deadlock is sent again, and both are written', async () => {
  const [one, two] = [database, openDatabase(testDatabase.url)];
  try {
    await one.$executeRaw`create table pairs (id int primary key, n int not null default 0)`;
    await one.$executeRaw`insert into pairs values (1), (2)`;
    // Each takes its first row, waits until the other must have taken the second, then wants that one as well.
    const takeBoth = (database: typeof one, first: number, second: number) => database.$executeRaw`
      with a as materialized (update pairs set n = n + 1 where id = ${first} returning id),
        pause as materialized (select pg_sleep(0.3) from a)
      update pairs set n = n + 1 from (select count(*) from pause) as p where id = ${second}`;
    await Promise.all([takeBoth(one, 1, 2), takeBoth(two, 2, 1)]);
    expect(await one.$queryRaw`select id, n from pairs order by id`).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ]);
    const [{ deadlocks }] = await two.$queryRaw<[{ deadlocks: bigint }]>`
      select deadlocks from pg_stat_database where datname = current_database()`;
    expect(Number(deadlocks)).toBeGreaterThan(0);
  } finally {
    await two.$disconnect();
  }
});
