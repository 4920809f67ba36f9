// The roles of PostgreSQL that compose.yaml and docs/04-going-live.md make, on a real one: what they can do, and what not.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMigrations } from '../../src/merchant/platform/migrations';
import { paySilently, registerOrder } from '../support/orders';
import { createEmptyDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';
import { startWorld } from '../support/world';

const ROOT = join(__dirname, '..', '..');
const PASSWORD = 'letters-and-digits-0123';
/** Roles belong to the whole cluster. */
const made: { clusterUrl: string; role: string }[] = [];

afterAll(async () => {
  // What they owned lies in databases that are gone by now.
  for (const { clusterUrl, role } of made) await queryOnce(clusterUrl, `drop role if exists ${role}`);
});

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

/** The address of the same database for another role. */
function asRole(adminUrl: string, role: string): string {
  const url = new URL(adminUrl);
  [url.username, url.password] = [role, PASSWORD];
  return url.href;
}

function newRole(adminUrl: string): string {
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  made.push({ clusterUrl: adminUrl.replace(databaseOf(adminUrl), 'postgres'), role });
  return role;
}

test('the role of compose.yaml owns its database, migrates it, and is no superuser', async () => {
  const database = await createEmptyDatabase();
  try {
    const [owner, superuser] = [newRole(database.url), newRole(database.url)];
    await queryOnce(database.url, `create role ${superuser} superuser login password '${PASSWORD}'`);
    // What psql reads, for the names of this test.
    const sql = readFileSync(join(ROOT, 'deploy/postgres-owner.sql'), 'utf8')
      .replace(/^\\getenv .*$/m, '')
      .replace(`:'password'`, `'${PASSWORD}'`)
      .replace('role merchant', `role ${owner}`)
      .replace('owner to merchant', `owner to ${owner}`)
      .replace('database merchant', `database ${databaseOf(database.url)}`)
      .replace('role postgres', `role ${superuser}`);
    await queryOnce(database.url, sql);

    const url = asRole(database.url, owner);
    await applyMigrations(url);
    await expect(queryOnce(url, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/);
    const signIn = queryOnce(asRole(database.url, superuser), 'select');
    await expect(signIn).rejects.toThrow(/password authentication/);
  } finally {
    await database.drop();
  }
});

test('with the grants of docs/04-going-live.md the server works, and can neither change nor drop a table', async () => {
  const page = readFileSync(join(ROOT, 'docs/04-going-live.md'), 'utf8');
  const [, grants = ''] = /```sql\n(create role merchant_runtime[^]*?)```/.exec(page) ?? [];
  let url = '';
  const world = await startWorld({
    async databaseThrough(adminUrl) {
      const role = newRole(adminUrl);
      url = asRole(adminUrl, role);
      const sql = grants
        .replaceAll('merchant_runtime', role)
        .replace(`'…'`, `'${PASSWORD}'`)
        .replace('database merchant', `database ${databaseOf(adminUrl)}`)
        .replaceAll('for role merchant', `for role ${new URL(adminUrl).username}`);
      await queryOnce(adminUrl, sql);
      return url;
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
    for (const sql of ['drop table orders', 'alter table refunds add x int', 'truncate notes'])
      await expect(queryOnce(url, sql)).rejects.toThrow(/must be owner|permission denied/);
  } finally {
    await world.close();
  }
});
