// /readyz tells a load balancer whether the process is ready for traffic: it checks the database in a bounded time, and caches the
// result for a second.

import { ask } from '../../support/ask';
import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import { endSessions } from '../../support/postgres';
import { queryOnce } from '../../support/rows';
import { useWorld } from '../../support/use-world';

const LATEST = '(select max(migration_name) from _prisma_migrations)';
const READY = { status: 200, body: { status: 'ready', reasons: [] } };
const notReady = (reason: unknown) => ({ status: 503, body: { status: 'not_ready', reasons: [reason] } });

const world = useWorld();
beforeAll(() => world.rows.query('create table as_migrated as table _prisma_migrations'));
beforeEach(async () => {
  await world.rows.query(`create table if not exists _prisma_migrations (like as_migrated);
    truncate _prisma_migrations; insert into _prisma_migrations table as_migrated`);
  // What the test before has asked is forgotten.
  world.clock.advance(1);
});

async function readyz(): Promise<{ status: number; body: unknown }> {
  const { status, body } = await ask(world.url, 'GET', '/readyz');
  return { status, body };
}

/** Notifies of a payment of a new order. */
async function notify() {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  return () => sendNotification(world, svcUid, merchantUid);
}
const RECORDED = { status: 200, outcome: 'recorded' };

/** A view instead of the ledger of migrations, so that reading it has another effect. */
async function replaceLedger(view: string): Promise<void> {
  await world.rows.query('alter table _prisma_migrations rename to ledger');
  await world.rows.query(`create view _prisma_migrations as select ledger.* from ${view}`);
}

test('an old version stays ready after a migration that it does not know (M3)', async () => {
  await world.rows.query(`insert into _prisma_migrations (id, checksum, migration_name, finished_at)
    values ('1', '1', '20991231000000_of_the_next_version', now())`);
  await world.rows.query('alter table orders add column of_the_next_version text');
  expect(await readyz()).toEqual(READY);
  await registerOrder(world);
});

// test/flows/migrations.test.ts has more defects of a ledger.
test.each([
  [
    'missing',
    `delete from _prisma_migrations where migration_name = ${LATEST}`,
    /^migrations missing: 2\d+_\w+;/,
  ],
  ['missing with the whole ledger', 'drop table _prisma_migrations', /^migrations missing: 2/],
  ['edited', `update _prisma_migrations set checksum = '1'`, /was edited/],
])('the process is not ready when a migration that it needs is %s (F14)', async (_, spoil, reason) => {
  expect(await readyz()).toEqual(READY);
  await world.rows.query(spoil);
  world.clock.advance(1);
  expect(await readyz()).toEqual(notReady(expect.stringMatching(reason)));
});

test('readiness queries the database at most once a second (M19)', async () => {
  const notifyOfPayment = await notify();
  await world.rows.query('create sequence checks');
  await replaceLedger(`ledger where (select nextval('checks')) > 0`);
  const checks = () => world.rows.query('select last_value::int as count from checks');

  const asked = Promise.all(Array.from({ length: 100 }, readyz));
  expect(await notifyOfPayment()).toEqual(RECORDED);
  for (const answer of await asked) expect(answer).toEqual(READY);
  expect(await checks()).toEqual([{ count: 1 }]);
  for (const [seconds, count] of [
    [0.9, 1],
    [0.1, 2],
  ] as const) {
    world.clock.advance(seconds);
    await readyz();
    expect(await checks()).toEqual([{ count }]);
  }
  await world.rows.query('drop view _prisma_migrations; alter table ledger rename to _prisma_migrations');
});

test('the process is not ready while its database server is read-only, and then ready without a restart (M11)', async () => {
  const notifyOfPayment = await notify();
  expect(await readyz()).toEqual(READY);
  const database = new URL(world.databaseUrl).pathname.slice(1);
  const admin = (sql: string) => queryOnce(world.databaseUrl, sql);

  await admin(`alter database ${database} set default_transaction_read_only = on`);
  // For new sessions; those that were open are ended.
  await endSessions(world.databaseUrl);
  world.clock.advance(1);
  expect(await readyz()).toEqual(notReady('database: read-only'));
  expect((await notifyOfPayment()).status).toBe(503);

  // Sessions that are open stay read-only, like those to the server that was the primary.
  await admin(`set transaction read write; alter database ${database} reset default_transaction_read_only`);
  world.clock.advance(1);
  expect(await readyz()).toEqual(READY);
  expect(await notifyOfPayment()).toEqual(RECORDED);
});
