// Notifications arrive duplicated, at several processes, out of order and concurrently. In the end the stored payment equals the
// service's (chapter D of docs/13-faults.md).

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { receiveNotification } from '../../../src/merchant/core/webhooks/receive-notification';
import { closeContext, type Context } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { eventually } from '../../support/eventually';
import {
  discrepanciesOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useContext, useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();
const anotherProcess = useContext(world);

/** A process that gets the answers of the service only when they are released. */
function openHeld() {
  const context = openContext(world);
  let answered = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const findPayment: Context['service']['findPayment'] = async (...asked) => {
    const record = await context.service.findPayment(...asked);
    answered += 1;
    await released;
    return record;
  };
  const service = { ...context.service, findPayment };
  const close = () => closeContext(context);
  return {
    held: { ...context, service, state: new Map() },
    answered: () => answered,
    release: () => release(),
    close,
  };
}

type Held = ReturnType<typeof openHeld>;

/** A hundred copies of a notification, all stored during the first fetch of each process. */
async function hearCopies(merchantUid: string, processes: number) {
  await registerOrder(world, merchantUid);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  const opened = Array.from({ length: processes }, openHeld);
  const told = { svcUid, merchantUid, generation: 'legacy', claimedStatus: 'paid' } as const;
  const received = { sourceAddress: SERVICE_ADDRESS, receivedAt: world.clock.now(), requestId: null };
  try {
    const answers = Array.from({ length: 100 }, (_, copy) =>
      receiveNotification(
        (opened[copy % processes] as Held).held,
        { ...told, ...received },
        { answerWithinMs: 60_000 },
      ),
    );
    const stored = 'select from notifications where merchant_uid = $1';
    await eventually(async () => (await world.rows.query(stored, [merchantUid])).length === 100);
    await eventually(() => opened.every(({ answered }) => answered() === 1));
    expect((await world.sandbox.requests(FETCH_PAYMENT)) - fetches).toBe(processes);
    for (const { release } of opened) release();
    for (const outcome of await Promise.all(answers)) expect(['recorded', 'unchanged']).toContain(outcome);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
  // Notifications during a fetch cause one more fetch.
  expect((await world.sandbox.requests(FETCH_PAYMENT)) - fetches).toBeLessThanOrEqual(3 * processes);
  const rowsOf = (rows: string) => world.rows.query(`select ${rows} = $1`, [merchantUid]);
  const paid = { status: 'paid', version: 1 };
  expect(await rowsOf('status, version from orders where merchant_uid')).toEqual([paid]);
  expect(await rowsOf('svc_uid from payments where merchant_uid')).toEqual([{ svc_uid: svcUid }]);
  expect(await rowsOf('type, version from events where stream')).toEqual([
    { type: 'order.paid', version: 1 },
  ]);
  const toRetry = 'from notifications where next_attempt_at is not null and merchant_uid';
  expect(await rowsOf(toRetry)).toEqual([]);
}

test('D2 a hundred copies over four processes cause one payment and one change of its order', () =>
  hearCopies('four-processes', 4));

test('D1 a hundred copies during one fetch cause one payment and at most three fetches', () =>
  hearCopies('one-process', 1));

test('D4 a fetch that began before the order changed is discarded and repeated', async () => {
  await registerOrder(world, 'overtaken');
  const { svc_uid: svcUid } = await paySilently(world, 'overtaken');
  const reported = { svcUid, merchantUid: 'overtaken' };
  const { held, answered, release, close } = openHeld();
  const fetches = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    const slow = syncPayment(held, reported);
    await eventually(() => answered() === 1);
    // Meanwhile another process syncs the cancellation.
    await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
    await syncPayment(anotherProcess, reported);
    expect(await orderStatus(world, 'overtaken')).toBe('cancelled');
    release();
    expect(await slow).toMatchObject({ outcome: 'unchanged', status: 'cancelled' });
    await close();
  });
  expect(fetches).toBe(3);
  expect(await orderStatus(world, 'overtaken')).toBe('cancelled');
});

test('D3 a payment whose cancellation is notified first ends as cancelled', async () => {
  await registerOrder(world, 'reversed');
  const { svc_uid } = await paySilently(world, 'reversed');
  await world.sandbox.control(svc_uid, 'cancel');
  await sendNotification(world, svc_uid, 'reversed');
  expect(await orderStatus(world, 'reversed')).toBe('cancelled');
});

test('D5 a state older than the stored one changes nothing unless the service confirms it', async () => {
  const { svc_uid, older } = await cancelledPayment('lagging');
  // The first time does not count as a confirmation for the second.
  for (let times = 0; times < 2; times += 1) {
    await showOlder(older, 1);
    expect(await sendNotification(world, svc_uid, 'lagging')).toEqual({ status: 200, outcome: 'queued' });
    expect(await orderStatus(world, 'lagging')).toBe('cancelled');
    await world.advance(2);
    expect(await regressedAt(svc_uid)).toBeNull();
    expect(await orderStatus(world, 'lagging')).toBe('cancelled');
    await world.advance(60);
  }
});

test('D6 a state that stays older for some seconds is stored and reported', async () => {
  const { svc_uid, older } = await cancelledPayment('back');
  await showOlder(older, 3);
  expect(await sendNotification(world, svc_uid, 'back')).toEqual({ status: 200, outcome: 'queued' });
  await world.advance(2);
  expect(await orderStatus(world, 'back')).toBe('cancelled');
  await world.advance(5);
  expect(await orderStatus(world, 'back')).toBe('paid');
  expect(await regressedAt(svc_uid)).toBeNull();
  const told = expect.objectContaining({ kind: 'status_went_back' });
  expect(await discrepanciesOf(world, 'back')).toContainEqual(told);
});

async function cancelledPayment(merchantUid: string) {
  await registerOrder(world, merchantUid);
  const { svc_uid, ...rest } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await world.sandbox.control(svc_uid, 'cancel');
  return { svc_uid, older: { code: 0, message: null, response: { ...rest, abc_uid: svc_uid } } };
}

/** The next fetches show an earlier state of the payment. */
function showOlder(body: object, times: number) {
  return world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times });
}

async function regressedAt(svcUid: string): Promise<unknown> {
  const [row] = await world.rows.query('select regressed_at from payments where svc_uid = $1', [svcUid]);
  return row?.['regressed_at'];
}
