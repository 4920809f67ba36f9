// The merchant behind PgBouncer: DATABASE_URL is its address, and DATABASE_DIRECT_URL that of PostgreSQL itself.

import { makeRoles, type Roles } from '../../src/local/postgres/roles';
import { openDatabase } from '../../src/merchant/platform/database';
import { registerKey } from '../support/keys';
import { charge, newUid, payAndRefund, paySilently, registerOrder } from '../support/orders';
import { describeWithPgBouncer, startPgBouncer } from '../support/pgbouncer';
import { createEmptyDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';
import { startWorld, type World } from '../support/world';

/** Fewer than the pool of the merchant has. In session mode each of its connections keeps one. */
const CONNECTIONS = { transaction: 3, session: 20 };

describeWithPgBouncer(['transaction', 'session'] as const)('in %s mode', (mode) => {
  let world: World;
  let roles: Roles;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;

  beforeAll(async () => {
    const environment: Record<string, string> = {};
    world = await startWorld({
      environment,
      async databaseThrough(adminUrl) {
        roles = await makeRoles(adminUrl, new URL(adminUrl).username);
        bouncer = await startPgBouncer(roles.runtimeUrl, mode, CONNECTIONS[mode]);
        environment['DATABASE_DIRECT_URL'] = roles.runtimeUrl;
        return bouncer.url;
      },
    });
  });
  afterAll(async () => {
    await world?.close();
    await bouncer?.stop();
    await roles?.drop();
  });

  test('a card is registered and charged, a notification is recorded, a payment is refunded, and the books are equal', async () => {
    const { customerUid } = await registerKey(world);
    const charged = newUid();
    await registerOrder(world, charged);
    expect(await charge(world, charged, customerUid)).toMatchObject({ status: 200 });

    const merchantUid = await payAndRefund(world);
    await world.runEveryMinute(5);

    expect(await world.rows.query('select merchant_uid, status from orders order by status')).toEqual([
      { merchant_uid: charged, status: 'paid' },
      { merchant_uid: merchantUid, status: 'cancelled' },
    ]);
    expect(await world.rows.query('select kind from discrepancies')).toEqual([]);
    const failedJobs = 'select last_error from graphile_worker.jobs where last_error is not null';
    expect(await world.rows.query(failedJobs)).toEqual([]);
  });

  test('a hundred notifications at once share the connections of the pooler, and each is recorded once', async () => {
    const uids = await Promise.all(Array.from({ length: 100 }, () => registerOrder(world)));
    const payments = await Promise.all(uids.map((uid) => paySilently(world, uid)));
    const answers = await Promise.all(
      payments.map(({ svc_uid }, at) => world.notify({ svc_uid, merchant_uid: uids[at], status: 'paid' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const paid = `select count(*)::int as number from orders where merchant_uid = any('{${uids.join(',')}}') and status = 'paid' and version = 1`;
    expect(await world.rows.query(paid)).toEqual([{ number: 100 }]);
  });
});

test('a role with another time zone gets no connection, because every date would be wrong', async () => {
  const database = await createEmptyDatabase();
  const roles = await makeRoles(database.url);
  await queryOnce(database.url, `alter role ${roles.runtime} set timezone = 'Asia/Seoul'`);
  const opened = openDatabase(roles.runtimeUrl, { isPooled: true });
  try {
    await expect(opened.$queryRaw`select 1`).rejects.toThrow('WRONG_SETTING_TimeZone');
    await expect(opened.order.findMany()).rejects.toThrow('WRONG_SETTING_TimeZone');
    await expect(opened.$statements(() => Promise.resolve())).rejects.toThrow('WRONG_SETTING_TimeZone');
  } finally {
    await opened.$disconnect();
    await database.drop();
    await roles.drop();
  }
});
