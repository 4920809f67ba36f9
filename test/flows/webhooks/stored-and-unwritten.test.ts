// A notification is stored, and what became of it cannot be written: the row of its order is locked (F6, M4), the database
// goes away (F2), an answer of it is lost (F3), or another write in the same statement cannot be done (M21). It is
// answered 200 `queued`, never 503, and right in the end.

import { Client } from 'pg';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import {
  discrepanciesOf,
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrder,
  registerOrders,
  sendNotification,
} from '../../support/orders';
import { startStatementProxy, type StatementProxy } from '../../support/statement-proxy';
import { startWorld, type World } from '../../support/world';

let world: World;
let proxy: StatementProxy;
beforeAll(async () => {
  world = await startWorld({
    async databaseThrough(url) {
      proxy = await startStatementProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

/** Holds the lock that a statement takes, as somebody with a console would. */
async function whileLocked<T>(statement: string, act: () => Promise<T>): Promise<T> {
  const holder = new Client({ connectionString: world.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(statement);
    return await act();
  } finally {
    await holder.end();
  }
}

/** Pays a hundred orders; returns what sends their notifications at once. */
async function payHundred(name: string) {
  const uids = Array.from({ length: 100 }, (_, i) => `${name}-${i}`);
  await registerOrders(world, uids);
  const payments = await Promise.all(uids.map((uid) => paySilently(world, uid)));
  return () =>
    Promise.all(
      payments.map(async ({ svc_uid: svcUid }, i) => {
        const began = performance.now();
        const answer = await sendNotification(world, svcUid, uids[i] ?? '');
        return { ...answer, afterMs: performance.now() - began };
      }),
    );
}

test('M4 an order that somebody else has locked: its notification is queued, a hundred beside it are recorded meanwhile, and it is recorded when the lock is gone', async () => {
  const unhindered = await payHundred('unhindered');
  const slowest = Math.max(...(await unhindered()).map(({ afterMs }) => afterMs));
  const sendBeside = await payHundred('beside');
  await registerOrder(world, 'm4-locked');
  const locked = await paySilently(world, 'm4-locked');
  await whileLocked(`select from orders where merchant_uid = 'm4-locked' for update`, async () => {
    const [queued, answers] = await Promise.all([
      sendNotification(world, locked.svc_uid, 'm4-locked'),
      sendBeside(),
    ]);
    expect(queued).toMatchObject({ status: 200, outcome: 'queued' });
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['recorded']));
    // A wait for the lock would last two seconds, and hold all of them. A busy machine is no reason to fail.
    expect(Math.max(...answers.map(({ afterMs }) => afterMs))).toBeLessThan(2 * slowest + 1900);
  });
  expect(await notificationsOf(world, 'm4-locked')).toEqual([{ outcome: 'queued', reason: 'locked' }]);
  expect(await orderStatus(world, 'm4-locked')).toBe('open');
  await world.advance(5);
  expect(await notificationsOf(world, 'm4-locked')).toEqual([{ outcome: 'recorded', reason: null }]);
  expect(await orderStatus(world, 'm4-locked')).toBe('paid');
});

test('F6 a lock that is held for a moment is waited for', async () => {
  await registerOrder(world, 'f6-moment');
  const { svc_uid: svcUid } = await paySilently(world, 'f6-moment');
  let answer: ReturnType<typeof sendNotification> | undefined;
  await whileLocked(`select from orders where merchant_uid = 'f6-moment' for update`, async () => {
    proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
    answer = sendNotification(world, svcUid, 'f6-moment');
    // It is stored, and the verdict has met the lock, more than once.
    await eventually(() => proxy.count() >= 4);
  });
  expect(await answer).toEqual({ status: 200, outcome: 'recorded' });
});

test('F6 a row that refers to the order, inserted by somebody else, is no lock', async () => {
  await registerOrder(world, 'f6-refers');
  const { svc_uid: svcUid } = await paySilently(world, 'f6-refers');
  await whileLocked(`select from orders where merchant_uid = 'f6-refers' for key share`, async () => {
    expect(await sendNotification(world, svcUid, 'f6-refers')).toEqual({ status: 200, outcome: 'recorded' });
  });
});

test('F6 a locked payment: its notification is queued, and recorded when the lock is gone', async () => {
  await registerOrder(world, 'f6-paid');
  const { svc_uid: svcUid } = await paySilently(world, 'f6-paid');
  await sendNotification(world, svcUid, 'f6-paid');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  await whileLocked(`select from payments where svc_uid = '${svcUid}' for update`, async () => {
    const answer = await sendNotification(world, svcUid, 'f6-paid', 'cancelled');
    expect(answer).toEqual({ status: 200, outcome: 'queued' });
  });
  expect(await orderStatus(world, 'f6-paid')).toBe('paid');
  await world.runEveryMinute(60);
  expect(await orderStatus(world, 'f6-paid')).toBe('cancelled');
});

test('a locked row of the inbox holds up no payment: it is recorded and answered, and the row is settled later', async () => {
  await registerOrder(world, 'locked-row');
  const { svc_uid: svcUid } = await paySilently(world, 'locked-row');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1000, times: 1 });
  const before = await world.sandbox.requests(FETCH_PAYMENT);
  const answer = sendNotification(world, svcUid, 'locked-row');
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) > before);
  await whileLocked(`select from notifications where merchant_uid = 'locked-row' for update`, async () => {
    expect(await answer).toEqual({ status: 200, outcome: 'recorded' });
  });
  expect(await orderStatus(world, 'locked-row')).toBe('paid');
  expect(await notificationsOf(world, 'locked-row')).toEqual([{ outcome: null, reason: null }]);
  await world.runEveryMinute(60);
  await world.runEveryMinute(60);
  expect(await notificationsOf(world, 'locked-row')).toEqual([{ outcome: 'unchanged', reason: null }]);
});

test('F2 the database goes away between fetch and write: the notification is queued, open, and recorded later', async () => {
  await registerOrder(world, 'f2');
  const { svc_uid: svcUid } = await paySilently(world, 'f2');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 4000, times: 1 });
  const before = await world.sandbox.requests(FETCH_PAYMENT);
  const answer = sendNotification(world, svcUid, 'f2');
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) > before);
  await world.withoutDatabase(async () => {
    expect(await answer).toEqual({ status: 200, outcome: 'queued' });
  });
  expect(world.log.events('notification_left_open').at(-1)).toMatchObject({ level: 50, svc_uid: svcUid });
  expect(await orderStatus(world, 'f2')).toBe('open');
  expect(await world.rows.query(`select from payments where merchant_uid = 'f2'`)).toEqual([]);
  await world.runEveryMinute(60);
  expect(await orderStatus(world, 'f2')).toBe('paid');
  expect(await notificationsOf(world, 'f2')).toEqual([{ outcome: 'recorded', reason: null }]);
});

test('F3 whichever answer of the database is lost, there is one payment and one step of its order in the end', async () => {
  // It is stored, the verdict is written with its outcome, and a job is enqueued.
  for (let number = 1; number <= 3; number += 1) {
    const merchantUid = `f3-${number}`;
    await registerOrder(world, merchantUid);
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    let isLost = false;
    proxy.stopAfter(number, () => {
      isLost = true;
      // The answer is gone; connections work again.
      proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
    });
    const { status } = await sendNotification(world, svcUid, merchantUid);
    // Only the first statement stores it.
    expect(status).toBe(number === 1 ? 503 : 200);
    // Nobody waits for the third.
    await eventually(() => isLost);
    await world.forgetJobs();
    world.clock.advance(60);
    // The service sends again what was 503 (§6.5).
    expect(await sendNotification(world, svcUid, merchantUid)).toMatchObject({ status: 200 });
    expect(
      await world.rows.query('select status, version from orders where merchant_uid = $1', [merchantUid]),
    ).toEqual([{ status: 'paid', version: 1 }]);
    expect(
      await world.rows.query('select svc_uid from payments where merchant_uid = $1', [merchantUid]),
    ).toEqual([{ svc_uid: svcUid }]);
    expect(await world.rows.query('select type from events where stream = $1', [merchantUid])).toEqual([
      { type: 'order.paid' },
    ]);
    expect(await discrepanciesOf(world, merchantUid)).toEqual([]);
  }
}, 90_000);
