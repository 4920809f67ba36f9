// Notifications arrive in copies, out of order and while others are checked. The stored payment is the service's in
// the end (chapter D of docs/faults.md).

import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { FETCH_PAYMENT } from '../../support/endpoints';
import {
  discrepanciesOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const anotherProcess = useContext(world);

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
