// Each change of what was given back of an order is one event, with the amount, the total and our refund, if it was ours.

import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { FETCH_PAYMENT } from '../../support/endpoints';
import {
  discrepanciesOf,
  newUid,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { HOUR, pass, eventsOf as planEventsOf, subscribe, useKey } from '../../support/subscriptions';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const beside = useContext(world);
const key = useKey(world);

type Refund = { amount: number; total: number; refund_id: string | null };
type Told = { type: string; version: number; status: string; refunded_amount: number; refund: Refund | null };

/** What a shop that asks is told of an order. */
async function toldOf(merchantUid: string): Promise<Told[]> {
  const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
  return body.list.map(({ type, data }: { type: string; data: Omit<Told, 'type'> }) => {
    const { version, status, refunded_amount, refund } = data;
    return { type, version, status, refunded_amount, refund };
  });
}

const pay = (merchantUid: string) => world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });

async function refund(svcUid: string, amount: number, checksum: number): Promise<void> {
  const body = { amount, checksum, reason: 'broken' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, body)).body.outcome).toBe('cancelled');
}

async function refundIds(svcUid: string): Promise<string[]> {
  const { body } = await world.api('GET', `/api/refunds?svc_uid=${svcUid}`);
  return body.list.map(({ id }: { id: string }) => id).reverse();
}

test('each part given back is one event with its amount, the total and its refund; one of the console names no refund', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await refund(svcUid, 300, 1000);
  await refund(svcUid, 200, 700);
  await world.sandbox.control(svcUid, 'cancel', { amount: 100 });
  await refund(svcUid, 400, 400);
  const [first, second, last] = await refundIds(svcUid);
  const part = (version: number, amount: number, total: number, refundId: string | null | undefined) => ({
    type: 'order.partially_cancelled',
    version,
    status: 'partially_cancelled',
    refunded_amount: total,
    refund: { amount, total, refund_id: refundId },
  });
  const told = await toldOf(merchantUid);
  expect(told).toEqual([
    { type: 'order.paid', version: 1, status: 'paid', refunded_amount: 0, refund: null },
    part(2, 300, 300, first),
    part(3, 200, 500, second),
    part(4, 100, 600, null),
    { ...part(5, 400, 1000, last), type: 'order.cancelled', status: 'cancelled' },
  ]);
});

test('refunds that are found together are one event with their sum, and none of them is named', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await world.withoutNotifications(async () => {
    await world.sandbox.control(svcUid, 'cancel', { amount: 100 });
    await world.sandbox.control(svcUid, 'cancel', { amount: 50 });
  });
  await sendNotification(world, svcUid, merchantUid, 'cancelled');
  expect((await toldOf(merchantUid)).at(-1)).toMatchObject({
    refunded_amount: 150,
    refund: { amount: 150, total: 150, refund_id: null },
  });
});

test('a refund whose answer was lost is named as soon as its payment shows it, and told once', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await world.sandbox.fault({ endpoint: 'POST /payments/cancel', kind: 'lost_response', times: 1 });
  const body = { amount: 300, checksum: 1000, reason: 'broken' };
  const { status } = await world.api('POST', `/api/payments/${svcUid}/cancel`, body);
  expect(status).toBe(202);
  await syncPayment(beside, { svcUid, merchantUid });
  await world.runEveryMinute(60);
  const [id] = await refundIds(svcUid);
  expect((await toldOf(merchantUid)).map((each) => each.refund)).toEqual([
    null,
    { amount: 300, total: 300, refund_id: id },
  ]);
});

test('of an order that was paid twice, the refund of one payment is told, and not as paid; the total is of both', async () => {
  const merchantUid = await registerOrder(world);
  const first = await pay(merchantUid);
  const second = await pay(merchantUid);
  await refund(second.svc_uid, 1000, 1000);
  await refund(first.svc_uid, 300, 1000);
  expect(await toldOf(merchantUid)).toMatchObject([
    { type: 'order.paid', refund: null },
    { type: 'order.partially_cancelled', status: 'paid', refund: { amount: 1000, total: 1000 } },
    {
      type: 'order.partially_cancelled',
      status: 'partially_cancelled',
      refund: { amount: 300, total: 1300 },
    },
  ]);
});

test('a payment that does not count for its order is given back without an event', async () => {
  const merchantUid = await registerOrder(world, newUid(), { member_id: 'somebody-else' });
  const { svc_uid: svcUid } = await paySilently(world, merchantUid, { customer_uid: key.customerUid });
  await sendNotification(world, svcUid, merchantUid);
  expect((await discrepanciesOf(world, merchantUid)).map(({ kind }) => kind)).toEqual([
    'foreign_billing_key',
  ]);
  await refund(svcUid, 1000, 1000);
  expect(await toldOf(merchantUid)).toEqual([]);
});

test('a refund that the service takes back is an event without a refund; what follows counts from there', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid, ...paid } = await pay(merchantUid);
  await world.sandbox.control(svcUid, 'cancel', { amount: 300 });
  const older = { code: 0, message: null, response: { ...paid, abc_uid: svcUid } };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body: older, times: 3 });
  await sendNotification(world, svcUid, merchantUid);
  await world.advance(2);
  await world.advance(5);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  await world.sandbox.clearFaults();
  await sendNotification(world, svcUid, merchantUid);
  expect(await toldOf(merchantUid)).toMatchObject([
    { type: 'order.paid', refunded_amount: 0 },
    { type: 'order.partially_cancelled', refunded_amount: 300, refund: { amount: 300, total: 300 } },
    { type: 'order.paid', refunded_amount: 0, refund: null },
    { type: 'order.partially_cancelled', refunded_amount: 300, refund: { amount: 300, total: 300 } },
  ]);
});

test('an order that is refunded in full while a deposit is awaited is cancelled, and cannot be closed', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await pay(merchantUid);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' });
  await refund(svcUid, 1000, 1000);
  expect((await world.api('POST', `/api/orders/${merchantUid}/close`)).status).toBe(409);
  expect((await toldOf(merchantUid)).slice(-1)).toMatchObject([
    { type: 'order.cancelled', refunded_amount: 1000, refund: { amount: 1000, total: 1000 } },
  ]);
});

test('events of the order of a cycle name the subscription, those of another order do not, and a refund wakes nothing twice', async () => {
  const id = await subscribe(world, key);
  await pass(world, HOUR);
  const planOf = async (merchantUid: string) =>
    (
      await world.rows.query<{ id: string | null }>(
        `select data->>'subscription_id' as id from events where stream = $1 order by version`,
        [merchantUid],
      )
    ).map((row) => row.id);
  expect(await planOf(`${id}-1`)).toEqual([id]);
  const [payment] = await world.rows.query<{ svc_uid: string }>(
    'select svc_uid from payments where merchant_uid = $1',
    [`${id}-1`],
  );
  await refund(String(payment?.svc_uid), 300, 1000);
  await refund(String(payment?.svc_uid), 700, 700);
  await pass(world, 60);
  expect(await planOf(`${id}-1`)).toEqual([id, id, id]);
  expect(await planEventsOf(world, id)).toEqual(['renewed 1.0']);

  // Of a cycle that has not come, over something else, or a number that no cycle has.
  const others = [`${id}-7`, `${id}-99999999999999999999`, `${id}-x`];
  for (const merchantUid of others) {
    await registerOrder(world, merchantUid);
    await pay(merchantUid);
    expect(await planOf(merchantUid)).toEqual([null]);
  }
  const dear = await subscribe(world, key, {
    amount: 2000,
    first_payment_at: new Date(world.clock.nowMs() + 9e6),
  });
  await world.rows.query('update subscriptions set cycle = 5 where subscription_id = $1', [dear]);
  await registerOrder(world, `${dear}-2`);
  await pay(`${dear}-2`);
  expect(await planOf(`${dear}-2`)).toEqual([null]);
});
