// The database has no room: no connection is free, or its disk is full (rows F5, F9 and F11 of docs/faults.md), and no
// filter without a value reaches it, which would match every row. And very many requests come at once, from a listed address
// and from elsewhere (rows K7 and K8).

import { Client } from 'pg';
import { closeCharge, findCharge } from '../../src/merchant/charges/charge-store';
import { closeContext } from '../../src/merchant/context';
import { LimitedPool } from '../../src/merchant/database-pool';
import { DatabaseError } from '../../src/merchant/errors';
import { resetDeliveries } from '../../src/merchant/events/event-store';
import { findOrder, markClosed } from '../../src/merchant/orders/order-store';
import { payOrder, QUEUED, RECORDED } from '../flows/webhooks/setup';
import { openContext } from '../support/beside-world';
import { createMemberBrowser } from '../support/browsers';
import { metric, registerKey } from '../support/card-form';
import { CARD_FORM } from '../support/cards';
import { charge, newUid, notifyMany, registerOrder, storedOutcomes } from '../support/orders';
import { sendBytes } from '../support/raw-http';
import { CHARGE_KEY, FETCH_PAYMENT, ISSUE_KEY } from '../support/sandbox-controls';
import { useFreshWorld } from '../support/use-world';

const world = useFreshWorld();

// The lock is held until all of them are answered: nobody waits for it, nor for a connection that waits for it.
test('F5 every connection of the pool is in use: what waits for one is 503 within three seconds, and a notification is recorded', async () => {
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
      having count(*) = 6`);
    expect(await notify()).toEqual(RECORDED);
    expect(new Set(await Promise.all(lists))).toEqual(new Set([503]));
  } finally {
    await holder.end();
  }
  expect(await order()).toMatchObject({ status: 'paid' });
  expect(await listCharges()).toBe(200);
});

test('neither a statement nor a connection is waited for as long as three seconds', () => {
  const { query_timeout, connectionTimeoutMillis } = new LimitedPool({}).options;
  expect(Math.max(Number(query_timeout), Number(connectionTimeoutMillis))).toBeLessThan(3_000);
});

/** PostgreSQL answers every insert and update of a table as it does when it can write no page (53100). */
async function fillDisk(which: string): Promise<void> {
  await world.rows.query(`create or replace function refuse_for_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  await world.rows.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename like '${which}' loop
      execute format('create trigger full_disk before insert or update on %I execute function refuse_for_space()', name);
    end loop; end $$`);
}
/** Triggers change the order of the tables. */
const sortedDump = async () => (await world.rows.books()).split('\n').sort();
const makeRoom = () => world.rows.query('drop function refuse_for_space cascade');

test('F9 a disk that is full: 503 to a notification, an order, a charge and a card, nothing is sent, and all of them work when there is room', async () => {
  const { notify } = await payOrder(world);
  const unpaid = await registerOrder(world, newUid());
  const { customerUid } = await registerKey(world);
  const member = createMemberBrowser(world);
  const form = await member.openForm();
  const chargeIt = async () => (await charge(world, unpaid, customerUid)).status;
  const registerCard = async () => (await member.post('/cards', { ...form, ...CARD_FORM })).status;
  const before = await sortedDump();
  await fillDisk('%');

  expect((await notify()).status).toBe(503);
  const another = { merchant_uid: newUid(), name: 'Tea', amount: 1000 };
  expect((await world.api('POST', '/api/orders', another)).status).toBe(503);
  expect([await chargeIt(), await registerCard()]).toEqual([503, 503]);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(0);
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(1);
  expect(await sortedDump()).toEqual(before);

  await makeRoom();
  expect(await notify()).toEqual(RECORDED);
  expect([await chargeIt(), await registerCard()]).toEqual([200, 303]);
});

test('F9 a disk that is full after a notification was stored: it is 200 queued, and recorded when there is room', async () => {
  const { notify, order } = await payOrder(world);
  await fillDisk('payments');
  const before = await world.rows.money();
  expect(await notify()).toEqual(QUEUED);
  expect(await world.rows.money()).toBe(before);
  await makeRoom();
  await world.runEveryMinute(61);
  expect(await order()).toMatchObject({ status: 'paid' });
});

test('F11 a filter without a value is refused before it reaches the database, and no row changes', async () => {
  await (await payOrder(world)).notify();
  await charge(world, await registerOrder(world, newUid()), (await registerKey(world)).customerUid);
  await world.runEveryMinute();
  const before = await world.rows.books();
  const context = openContext(world);
  // What a mistake of ours would pass on, past the compiler.
  const absent = undefined as never;
  try {
    for (const act of [
      () => findOrder(context, absent),
      () => findCharge(context, absent),
      () => closeCharge(context, absent, 'failed'),
      () => resetDeliveries(context, absent),
    ])
      await expect(act()).rejects.toBeInstanceOf(DatabaseError);
    // In a statement of our own it is a null, which equals nothing.
    expect(await markClosed(context, absent).catch(() => false)).toBe(false);
  } finally {
    await closeContext(context);
  }
  expect(await world.rows.books()).toBe(before);
});

/** At once, and then twenty in a second. */
const MAY_BE_FETCHED = 100;
/** No more connections than a peer may hold. */
const CONNECTIONS = 40;

test('K7 a thousand notifications with random ids from a listed address are stored and answered without a 429, the service is asked at a set rate, and there is one warning', async () => {
  const numbers = [...Array(1000).keys()];
  const invented = numbers.map((n) => ({ svcUid: `svc_random_${n}`, merchantUid: `random-${n}` }));
  const money = await world.rows.money();
  const [fetched, queued] = [MAY_BE_FETCHED, 1000 - MAY_BE_FETCHED];
  // Counted by outcome: a 429, or any answer that is none of the webhook's, has no such outcome.
  expect(await notifyMany(world, invented)).toEqual({ unknown_payment: fetched, queued });
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(fetched);
  expect(await storedOutcomes(world)).toEqual({ unknown_payment: fetched, 'queued:paced': queued });
  expect(await world.rows.money()).toBe(money);
  expect(world.log.events('notifications_paced')).toHaveLength(1);
  expect(await metric(world, 'merchant_notifications_paced_total')).toBe(queued);
  expect(await (await payOrder(world)).notify()).toEqual(RECORDED);
});

test('K8 two thousand requests from elsewhere are 403, although their bodies never come and the database is away', async () => {
  const head =
    'POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n' +
    'Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n';
  const answers: string[] = [];
  const sendOneByOne = async () => {
    for (let sent = 0; sent < 2000 / CONNECTIONS; sent += 1) answers.push(await sendBytes(world.url, head));
  };
  await world.withoutDatabase(() => Promise.all(Array.from({ length: CONNECTIONS }, sendOneByOne)));
  expect(answers).toHaveLength(2000);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 403 Forbidden']));
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(2000);
  expect(await world.sandbox.allRequests()).toBe(0);
  expect(await world.rows.query('select from notifications')).toEqual([]);
});
