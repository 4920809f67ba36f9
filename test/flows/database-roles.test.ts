// The roles of PostgreSQL that deploy/postgres-roles.sql makes, on a real one: what they can do, and what not.

import { makeRoles, type Roles } from '../../src/local/postgres/roles';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { paySilently, registerOrder } from '../support/orders';
import { createEmptyDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';
import { startWorld } from '../support/world';

const CHANGES_OF_TABLES = ['drop table orders', 'alter table refunds add x int', 'truncate notes'];

test('before the first migration: the owner migrates without superuser rights, and the server uses its tables', async () => {
  const database = await createEmptyDatabase();
  const roles = await makeRoles(database.url);
  try {
    await migrateDatabase(roles.ownerUrl);
    const copy = queryOnce(roles.ownerUrl, `copy (select 1) to program 'true'`);
    await expect(copy).rejects.toThrow(/permission denied/);
    await expect(queryOnce(roles.superuserUrl, 'select')).rejects.toThrow(/password authentication/);

    await queryOnce(roles.runtimeUrl, `select from orders, graphile_worker.jobs`);
    for (const sql of CHANGES_OF_TABLES)
      await expect(queryOnce(roles.runtimeUrl, sql)).rejects.toThrow(/must be owner|permission denied/);
    expect(await queryOnce(roles.runtimeUrl, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
  } finally {
    await database.drop();
    await roles.drop();
  }
});

test('on a database with tables: the server works, and can neither change nor drop a table', async () => {
  let roles: Roles | undefined;
  const world = await startWorld({
    async databaseThrough(adminUrl) {
      roles = await makeRoles(adminUrl, new URL(adminUrl).username);
      return roles.runtimeUrl;
    },
  });
  try {
    const merchantUid = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    await world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' });
    await world.runEveryMinute(60);
    expect(await world.rows.query('select status from orders')).toEqual([{ status: 'paid' }]);
    const failedJobs = 'select last_error from graphile_worker.jobs where last_error is not null';
    expect(await world.rows.query(failedJobs)).toEqual([]);
    for (const sql of CHANGES_OF_TABLES)
      await expect(queryOnce(String(roles?.runtimeUrl), sql)).rejects.toThrow(
        /must be owner|permission denied/,
      );
  } finally {
    await world.close();
    await roles?.drop();
  }
});
