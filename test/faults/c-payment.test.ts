// A payment counts for an order only with the right order id, amount and currency (chapter C of docs/13-faults.md). Other payments
// are reported once and do not change the order.

import {
  answerNextFetch,
  discrepanciesOf,
  expectRefused,
  newUid,
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../support/orders';
import { expectNoEffect } from '../support/rows';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const world = useWorld();

/** A new order with a payment that was not notified. */
async function payOrder(changes: Record<string, unknown> = {}) {
  const uid = await registerOrder(world);
  return { uid, svcUid: (await paySilently(world, uid, changes)).svc_uid };
}
const RECORDED = { status: 200, outcome: 'recorded' };
const QUEUED = { status: 200, outcome: 'queued' };
const MALFORMED = { status: 400, outcome: 'malformed' };

test.each([
  ['C1', '../users/getToken'],
  ['C2', '..'],
  ['C3', '..%2Fusers%2FgetToken'],
  ['C4', 'http://evil.example/x'],
  ['C5', `x'; drop table orders; --`],
])('%s the id %j is malformed, and no call is made', async (_row, id) => {
  const uid = await registerOrder(world);
  await expectNoEffect(world, async () => {
    expect(await sendNotification(world, id, uid)).toEqual(MALFORMED);
    expect(await sendNotification(world, 'svc_1', id)).toEqual(MALFORMED);
  });
});

async function expectMalformed(body: Record<string, unknown>) {
  expect(await expectNoEffect(world, () => world.notify(body))).toEqual(MALFORMED);
}

test('C2 a payment_id that consists of dots is malformed', () =>
  expectMalformed({ tx_id: 'a', payment_id: '...', status: 'paid' }));

test('C6 a filter object instead of an id is malformed', () =>
  expectMalformed({ svc_uid: 'svc_1', merchant_uid: { not: '' } }));

test('C8 a stored payment that the service assigns to another order pays only for the first order', async () => {
  const { uid, svcUid } = await payOrder();
  const other = await registerOrder(world);
  await expectRefused(world, svcUid, other, 'order_mismatch');
  expect(await sendNotification(world, svcUid, uid)).toEqual(RECORDED);
  await world.sandbox.control(svcUid, 'tamper', { merchant_uid: other });
  await expectRefused(world, svcUid, other, 'order_mismatch');
  expect([await orderStatus(world, uid), await orderStatus(world, other)]).toEqual(['paid', 'open']);
});

test.each([999, 1001])(
  'C9 %d won for an order of 1000 is a mismatch that is reported once',
  async (amount) => {
    const { uid, svcUid } = await payOrder({ amount });
    for (let times = 1; times <= 3; times += 1) await expectRefused(world, svcUid, uid, 'amount_mismatch');
    expect(await discrepanciesOf(world, uid)).toEqual([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: `${amount} KRW`, times_seen: 3 },
    ]);
    expect(await orderStatus(world, uid)).toBe('open');
    expect((await world.api('GET', `/api/payments/${svcUid}`)).status).toBe(404);
  },
);

test.each([',"amount":"1000"', ''])(
  'C10 a record with the amount %j is fetched again, and is neither paid nor a mismatch',
  async (amount) => {
    const { uid, svcUid } = await payOrder();
    await answerNextFetch(world, svcUid, uid, amount);
    expect(await sendNotification(world, svcUid, uid)).toEqual(QUEUED);
    expect(await notificationsOf(world, uid)).toEqual([{ outcome: 'queued', reason: 'record_unreadable' }]);
    expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'needs_review' }]);
    expect(await orderStatus(world, uid)).toBe('open');
    await world.advance(2);
    expect(await orderStatus(world, uid)).toBe('paid');
    const open = 'select from discrepancies where resolved_at is null and merchant_uid = $1';
    expect(await world.rows.query(open, [uid])).toEqual([]);
  },
);

test.each([',"amount":1000.0', ',"amount":1e3'])(
  'C11 the amount %s is read as an integer',
  async (amount) => {
    const { uid, svcUid } = await payOrder();
    await answerNextFetch(world, svcUid, uid, amount);
    expect(await sendNotification(world, svcUid, uid)).toEqual(RECORDED);
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

/** Expects this number of fetches within ten minutes, and none in the hour after. */
async function expectLooks(merchantUid: string, kind: string, attempts: number) {
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, () => world.advance(3600))).toBe(0);
  const rows = 'select attempts, next_attempt_at from notifications where merchant_uid = $1';
  expect(await world.rows.query(rows, [merchantUid])).toEqual([{ attempts, next_attempt_at: null }]);
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([{ kind, times_seen: attempts }]);
}

test('C14 a payment of an unknown order is checked again for ten minutes only', async () => {
  const uid = newUid();
  const { svc_uid: svcUid } = await paySilently(world, uid);
  await expectRefused(world, svcUid, uid, 'unknown_order');
  await expectLooks(uid, 'unknown_order', 7);
});

test('C15 a fetched status older than the notified one is stored and fetched again', async () => {
  const { uid, svcUid } = await payOrder({ outcome: 'virtual_account' });
  expect(await sendNotification(world, svcUid, uid, 'paid')).toEqual(RECORDED);
  expect(await orderStatus(world, uid)).toBe('awaiting_deposit');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'deposit'));
  await world.advance(1);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test.each(['failed', 'cancelled', 'ready'])(
  'C16 an order is paid by a paid payment whose notification says %s',
  async (word) => {
    const { uid, svcUid } = await payOrder();
    expect(await sendNotification(world, svcUid, uid, word)).toEqual(RECORDED);
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test('C17 an unknown payment is fetched five more times in ten minutes, then closed', async () => {
  const uid = await registerOrder(world);
  await expectRefused(world, 'svc_that_is_not_there', uid, 'unknown_payment');
  await expectLooks(uid, 'unknown_payment', 6);
});

test('C27 very long texts of a record are cut to a limit', async () => {
  const { uid, svcUid } = await payOrder();
  const texts = { buyer_name: '<b>'.repeat(50_000), custom_data: "'; drop table orders; --" };
  await answerNextFetch(world, svcUid, uid, `,"amount":1000,${JSON.stringify(texts).slice(1, -1)}`);
  expect(await sendNotification(world, svcUid, uid)).toEqual(RECORDED);
  const bounded = 'select from payments where svc_uid = $1 and length(record::text) < 10000';
  expect(await world.rows.query(bounded, [svcUid])).toHaveLength(1);
});
