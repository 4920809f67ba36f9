// The database's disk is full (row F9 of docs/13-faults.md). And no filter without a value is sent, because it would match every row
// (row F11). test/waiting/slow-database.test.ts waits for a connection.

import { closeCharge, findCharge } from '../../src/merchant/core/charges/charge-store';
import { findOrder, markClosed } from '../../src/merchant/core/orders/order-store';
import { closeContext } from '../../src/merchant/platform/context';
import { LimitedPool } from '../../src/merchant/platform/database-pool';
import { DatabaseError } from '../../src/merchant/platform/errors';
import { payOrder, QUEUED, RECORDED } from '../flows/webhooks/setup';
import { openContext } from '../support/beside-world';
import { fillDisk, makeRoom, sortedRows } from '../support/full-disk';
import { registerKey } from '../support/keys';
import { charge, newUid, registerOrder } from '../support/orders';
import { resetWorld } from '../support/reconciliation';
import { CHARGE_KEY } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const world = useWorld();
beforeEach(() => resetWorld(world));

test('neither a statement nor a connection is waited for as long as three seconds', () => {
  const { query_timeout, connectionTimeoutMillis } = new LimitedPool({}).options;
  expect(Math.max(Number(query_timeout), Number(connectionTimeoutMillis))).toBeLessThan(3_000);
});

test('F9 on a full disk notifications, orders and charges get a 503, and nothing is sent', async () => {
  const { notify } = await payOrder(world);
  const unpaid = await registerOrder(world, newUid());
  const { customerUid } = await registerKey(world);
  const chargeIt = async () => (await charge(world, unpaid, customerUid)).status;
  const before = await sortedRows(world);
  await fillDisk(world, '%');

  expect((await notify()).status).toBe(503);
  const another = { merchant_uid: newUid(), name: 'Tea', amount: 1000 };
  expect((await world.api('POST', '/api/orders', another)).status).toBe(503);
  expect(await chargeIt()).toBe(503);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(0);
  expect(await sortedRows(world)).toEqual(before);

  await makeRoom(world);
  expect(await notify()).toEqual(RECORDED);
  expect(await chargeIt()).toBe(200);
});

test('F9 when the disk is full after a notification was stored, it is queued with a 200 and recorded once there is space', async () => {
  const { notify, order } = await payOrder(world);
  await fillDisk(world, 'payments');
  const before = await world.rows.money();
  expect(await notify()).toEqual(QUEUED);
  expect(await world.rows.money()).toBe(before);
  await makeRoom(world);
  await world.runEveryMinute(61);
  expect(await order()).toMatchObject({ status: 'paid' });
});

test('F11 a statement whose filter has no value is not sent to the database', async () => {
  await (await payOrder(world)).notify();
  await charge(world, await registerOrder(world, newUid()), (await registerKey(world)).customerUid);
  await world.runEveryMinute();
  const before = await world.rows.books();
  const context = openContext(world);
  // A value that a bug could pass in spite of the compiler.
  const absent = undefined as never;
  try {
    for (const act of [
      () => findOrder(context, absent),
      () => findCharge(context, absent),
      () => closeCharge(context, absent, 'failed'),
    ])
      await expect(act()).rejects.toBeInstanceOf(DatabaseError);
    // In our own SQL it is a null, which equals nothing.
    expect(await markClosed(context, absent)).toBe(false);
  } finally {
    await closeContext(context);
  }
  expect(await world.rows.books()).toBe(before);
});
