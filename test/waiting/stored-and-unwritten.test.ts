// A notification is stored, but its outcome cannot be written: the order's row is locked (F6, M4), the database goes down (F2), one of
// its answers is lost (F3), or another write in the same statement fails (M21). The answer is 200 `queued`, never 503, and the final
// state is right.

import { Client } from 'pg';
import { payOrder, payOrders, QUEUED, RECORDED, type Paid } from '../flows/webhooks/setup';
import { eventually } from '../support/eventually';
import { discrepanciesOf, notifyMany } from '../support/orders';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useWorldWithProxy } from '../support/use-world';

const { world, proxy } = useWorldWithProxy();

const orderRow = ({ merchantUid }: Paid) => `from orders where merchant_uid = '${merchantUid}'`;

/** Takes the lock of a statement, like a person with a console. Returns a function that releases it. */
async function lock(statement: string): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: world.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(statement);
  return () => holder.end();
}

async function whileLocked(statement: string, act: () => Promise<void>): Promise<void> {
  const giveUp = await lock(statement);
  try {
    await act();
  } finally {
    await giveUp();
  }
}

test('M4 the notification of a locked order is queued, and others are recorded meanwhile', async () => {
  const beside = await payOrders(world, 100);
  const locked = await payOrder(world);
  await whileLocked(`select ${orderRow(locked)} for update`, async () => {
    const [queued, others] = await Promise.all([locked.notify(), notifyMany(world, beside)]);
    expect(queued).toEqual(QUEUED);
    expect(others).toEqual({ recorded: 100 });
    // On a busy machine the answer does not wait for the attempt.
    await eventually(async () => (await locked.notifications()).every(({ outcome }) => outcome !== null));
  });
  expect(await locked.notifications()).toEqual([{ outcome: 'queued', reason: 'overtaken' }]);
  expect(await locked.order()).toMatchObject({ status: 'open' });
  await world.advance(5);
  expect(await locked.notifications()).toEqual([{ outcome: 'recorded', reason: null }]);
  expect(await locked.order()).toMatchObject({ status: 'paid' });
});

test('F6 after a short lock the payment is fetched again and recorded', async () => {
  const paid = await payOrder(world);
  const giveUp = await lock(`select ${orderRow(paid)} for update`);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 300, times: 5 });
  const before = await world.sandbox.requests(FETCH_PAYMENT);
  const answer = paid.notify();
  // The second fetch: the first write has found the lock.
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) >= before + 2);
  await giveUp();
  expect(await answer).toEqual(RECORDED);
  await world.sandbox.clearFaults();
});

test('F6 an inserted row that refers to the order does not lock it', async () => {
  const paid = await payOrder(world);
  await whileLocked(`select ${orderRow(paid)} for key share`, async () =>
    expect(await paid.notify()).toEqual(RECORDED),
  );
});

test('F6 the notification of a locked payment is queued and recorded after the lock', async () => {
  const { svcUid, notify, order } = await payOrder(world);
  await notify();
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  await whileLocked(`select from payments where svc_uid = '${svcUid}' for update`, async () =>
    expect(await notify('cancelled')).toEqual(QUEUED),
  );
  expect(await order()).toMatchObject({ status: 'paid' });
  await world.runEveryMinute(60);
  expect(await order()).toMatchObject({ status: 'cancelled' });
});

/** The stopped answer is lost; connections work again. */
const passAgain = () => proxy().stopAfter(Number.POSITIVE_INFINITY, () => undefined);

test('F2 when the database fails between fetch and write, the notification is queued and recorded later', async () => {
  const { svcUid, notify, notifications, order } = await payOrder(world);
  let isFetched = false;
  proxy().stopAt('before', 'update-order-status', () => (isFetched = true));
  const answer = notify();
  await eventually(() => isFetched);
  await world.withoutDatabase(async () => expect(await answer).toEqual(QUEUED));
  passAgain();
  expect(world.log.events('notification_left_open').at(-1)).toMatchObject({ level: 50, svc_uid: svcUid });
  expect(await order()).toMatchObject({ status: 'open', payments: [] });
  await world.runEveryMinute(60);
  expect(await order()).toMatchObject({ status: 'paid' });
  expect(await notifications()).toEqual([{ outcome: 'recorded', reason: null }]);
});

/** The statement that stores a notification, by its name. */
const STORED = 'store-notifications';

test('F3 one payment and one change of its order result whichever database answer is lost', async () => {
  for (const statement of [STORED, 'update-order-status', 'commit', 'save-results']) {
    const { svcUid, merchantUid, notify, order } = await payOrder(world);
    let isLost = false;
    proxy().stopAt('after', statement, () => {
      isLost = true;
      passAgain();
    });
    expect((await notify()).status).toBe(statement === STORED ? 503 : 200);
    expect([statement, isLost]).toEqual([statement, true]);
    await world.forgetJobs();
    world.clock.advance(60);
    // The service repeats a notification that got a 503 (§6.5).
    expect((await notify()).status).toBe(200);
    expect(await order()).toMatchObject({ status: 'paid', payments: [{ svc_uid: svcUid }] });
    const steps = `select type, version from events where stream = '${merchantUid}'`;
    expect(await world.rows.query(steps)).toEqual([{ type: 'order.paid', version: 1 }]);
    expect(await discrepanciesOf(world, merchantUid)).toEqual([]);
  }
});
