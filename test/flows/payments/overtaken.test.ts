// Notifications arrive in copies, at several processes, out of order and while others are checked. The stored payment is the
// service's in the end (chapter D of docs/faults.md).

import { closeContext } from '../../../src/merchant/context';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { receiveNotification } from '../../../src/merchant/webhooks/receive-notification';
import { openContext } from '../../support/beside-world';
import { FETCH_PAYMENT, TOKEN } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import {
  discrepanciesOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { useContext, useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();
const anotherProcess = useContext(world);

const PROCESSES = 4;

test('D2 a hundred copies over four processes are one payment and one step of its order, with one fetch under way in each', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const processes = Array.from({ length: PROCESSES }, () => openContext(world));
  try {
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1000, times: PROCESSES });
    const notification = {
      svcUid,
      merchantUid,
      generation: 'legacy' as const,
      claimedStatus: 'paid',
      sourceAddress: SERVICE_ADDRESS,
      receivedAt: world.clock.now(),
      requestId: null,
    };
    const answers = Array.from({ length: 100 }, (_, copy) =>
      receiveNotification(processes[copy % PROCESSES] as (typeof processes)[0], notification),
    );
    // All are stored, and each process waits for its one fetch.
    await eventually(async () => (await world.rows.query('select from notifications')).length === 100);
    await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) >= PROCESSES);
    expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(PROCESSES);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['recorded', 'unchanged']));
  } finally {
    await Promise.all(processes.map(closeContext));
  }
  // What came during a fetch is fetched for once more.
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBeLessThanOrEqual(3 * PROCESSES);
  expect(await world.sandbox.requests(TOKEN)).toBeLessThanOrEqual(PROCESSES);
  expect(await world.rows.query('select status, version from orders')).toEqual([
    { status: 'paid', version: 1 },
  ]);
  expect(await world.rows.query('select svc_uid from payments')).toEqual([{ svc_uid: svcUid }]);
  expect(await world.rows.query('select version::int, type from events')).toEqual([
    { version: 1, type: 'order.paid' },
  ]);
  expect(await world.rows.query('select from notifications where next_attempt_at is not null')).toEqual([]);
});

test('D1 a hundred copies during one look are one payment, one move of the order and at most three fetches', async () => {
  await registerOrder(world, 'hundred');
  const { svc_uid } = await paySilently(world, 'hundred');
  // The first fetch is still under way when the last copy arrives.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1500, times: 1 });
  const fetches = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    const copies = Array.from({ length: 100 }, () => sendNotification(world, svc_uid, 'hundred'));
    const answers = await Promise.all(copies);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });
  expect(fetches).toBeLessThanOrEqual(3);
  expect(
    await world.rows.query('select version, status from orders where merchant_uid = $1', ['hundred']),
  ).toEqual([{ version: 1, status: 'paid' }]);
  expect(
    await world.rows.query(
      'select count(*)::int as n from notifications where svc_uid = $1 and next_attempt_at is null',
      [svc_uid],
    ),
  ).toEqual([{ n: 100 }]);
});

test('D4 a fetch that began before the order changed is thrown away and repeated', async () => {
  await registerOrder(world, 'overtaken');
  const { svc_uid } = await paySilently(world, 'overtaken');
  // This answer is made now, while the payment is paid, and drips in until after the cancellation is stored.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'drip', delay_ms: 1, times: 1 });
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  const slow = sendNotification(world, svc_uid, 'overtaken');
  await world.rows.waitFor('select 1 from notifications where merchant_uid = $1 and outcome is null', [
    'overtaken',
  ]);
  // Another process syncs the cancellation: within one, the copies of a claim share their fetches.
  await world.withoutNotifications(() => world.sandbox.control(svc_uid, 'cancel'));
  await syncPayment(anotherProcess, { svcUid: svc_uid, merchantUid: 'overtaken' });
  expect(await orderStatus(world, 'overtaken')).toBe('cancelled');
  expect(await slow).toEqual({ status: 200, outcome: 'unchanged' });
  expect(await orderStatus(world, 'overtaken')).toBe('cancelled');
  expect((await world.sandbox.requests(FETCH_PAYMENT)) - fetches).toBe(3);
});

test('D3 the cancellation told before the payment: cancelled in the end', async () => {
  await registerOrder(world, 'reversed');
  const { svc_uid } = await paySilently(world, 'reversed');
  await world.sandbox.control(svc_uid, 'cancel');
  await sendNotification(world, svc_uid, 'reversed');
  expect(await orderStatus(world, 'reversed')).toBe('cancelled');
});

test('D5 an older state than the stored one changes nothing, and is forgotten when the service shows the newer one', async () => {
  const { svc_uid, older } = await cancelledPayment('lagging');
  await showOlder(older, 1);
  expect(await sendNotification(world, svc_uid, 'lagging')).toEqual({ status: 200, outcome: 'queued' });
  expect(await orderStatus(world, 'lagging')).toBe('cancelled');
  await world.advance(2);
  expect(await wentBackAt(svc_uid)).toBeNull();
  expect(await orderStatus(world, 'lagging')).toBe('cancelled');
  // The doubt of then is no confirmation now.
  await world.advance(60);
  await showOlder(older, 1);
  expect(await sendNotification(world, svc_uid, 'lagging')).toEqual({ status: 200, outcome: 'queued' });
  expect(await orderStatus(world, 'lagging')).toBe('cancelled');
  await world.advance(2);
  expect(await wentBackAt(svc_uid)).toBeNull();
});

test('D6 a service that really goes back is followed some seconds later, and it is told', async () => {
  const { svc_uid, older } = await cancelledPayment('back');
  await showOlder(older, 3);
  expect(await sendNotification(world, svc_uid, 'back')).toEqual({ status: 200, outcome: 'queued' });
  await world.advance(2);
  expect(await orderStatus(world, 'back')).toBe('cancelled');
  await world.advance(5);
  expect(await orderStatus(world, 'back')).toBe('paid');
  expect(await wentBackAt(svc_uid)).toBeNull();
  const kinds = (await discrepanciesOf(world, 'back')).map(({ kind }) => kind);
  expect(kinds).toContain('status_went_back');
});

async function cancelledPayment(merchantUid: string) {
  await registerOrder(world, merchantUid);
  const { svc_uid, ...rest } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await world.sandbox.control(svc_uid, 'cancel');
  return { svc_uid, older: { code: 0, message: null, response: { ...rest, abc_uid: svc_uid } } };
}

/** The next fetches show the payment as it was. */
function showOlder(body: object, times: number) {
  return world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times });
}

async function wentBackAt(svcUid: string): Promise<unknown> {
  const [row] = await world.rows.query('select went_back_at from payments where svc_uid = $1', [svcUid]);
  return row?.['went_back_at'];
}
