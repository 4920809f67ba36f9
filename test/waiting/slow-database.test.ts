// The database has no free connection, or needs longer for a statement than we wait (rows F5 and F15 of docs/13-faults.md).

import { Client } from 'pg';
import { payOrder, RECORDED } from '../flows/webhooks/setup';
import { ask } from '../support/ask';
import { useFreshWorld } from '../support/use-world';

const world = useFreshWorld();

// The lock is held until all requests are answered, so no answer waits for the lock or for a blocked connection.
test('F5 requests get a 503 within three seconds when all connections of the pool are in use', async () => {
  const { notify, order } = await payOrder(world);
  const listCharges = async () => (await world.api('GET', '/api/charges')).status;
  const holder = new Client({ connectionString: world.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table charges');
    const lists = Array.from({ length: 32 }, listCharges);
    await world.rows
      .waitFor(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      having count(*) = 10`);
    expect((await notify()).status).toBe(503);
    expect(new Set(await Promise.all(lists))).toEqual(new Set([503]));
  } finally {
    await holder.end();
  }
  expect(await notify()).toEqual(RECORDED);
  expect(await order()).toMatchObject({ status: 'paid' });
  expect(await listCharges()).toBe(200);
});

test('F15 when every statement takes three seconds, the answer is a 503 within three seconds, and nothing is written in part', async () => {
  const { notify } = await payOrder(world);
  await world.rows.query(`
    create or replace function wait_three_seconds() returns trigger language plpgsql as
      $$ begin perform pg_sleep(3); return new; end $$;
    create trigger slow before insert on notifications for each row execute function wait_three_seconds()`);
  const before = await world.rows.books();
  try {
    expect(await notify()).toMatchObject({ status: 503 });
    expect(await world.rows.books()).toBe(before);
  } finally {
    await world.rows.query('drop trigger slow on notifications');
  }
  expect(await notify()).toEqual(RECORDED);
});

test('readiness reports within 3 s a database that needs 3 s for a statement (F15)', async () => {
  await world.rows.query('alter table _prisma_migrations rename to ledger');
  await world.rows.query('create view _prisma_migrations as select ledger.* from ledger, pg_sleep(3)');
  // Our own limit is the reason: neither an answer nor an error of the database has arrived before.
  const { status, body } = await ask(world.url, 'GET', '/readyz');
  expect(status).toBe(503);
  expect(body).toEqual({ status: 'not_ready', reasons: ['database: no answer within 2000 ms'] });
});
