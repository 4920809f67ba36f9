// A payment counts for an order only where it belongs to it, over its amount and in its currency (chapter C of
// docs/faults.md). What does not fit is reported once and leaves the order alone.

import { FETCH_PAYMENT } from '../support/endpoints';
import { expectNoEffect } from '../support/no-effect';
import {
  answerNextFetch,
  discrepanciesOf,
  expectRefused,
  getOrder,
  newUid,
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../support/orders';
import { useWorld } from '../support/use-world';

const world = useWorld();

test.each([
  ['C1', '../users/getToken'],
  ['C2', '..'],
  ['C2', '.'],
  ['C2', ''],
  ['C3', '..%2Fusers%2FgetToken'],
  ['C3', '%2e%2e'],
  ['C3', '..\\users'],
  ['C3', 'status/all'],
  ['C3', 'a?x'],
  ['C3', 'a#f'],
  ['C3', 'a;x'],
  ['C4', 'http://evil.example/x'],
  ['C4', '//evil.example/x'],
  ['C5', `x'; drop table orders; --`],
  ['C5', '%'],
  ['C5', '$1'],
])('%s the id %j is malformed, and nothing is asked', async (_row, id) => {
  const uid = await registerOrder(world);
  await expectNoEffect(world, async () => {
    expect(await sendNotification(world, id, uid)).toEqual({ status: 400, outcome: 'malformed' });
    expect(await sendNotification(world, 'svc_1', id)).toEqual({ status: 400, outcome: 'malformed' });
  });
});

test('C2 a payment_id of dots only is malformed', async () => {
  const body = { tx_id: 'a', payment_id: '...', status: 'paid' };
  const answer = await expectNoEffect(world, () => world.notify(body));
  expect(answer).toEqual({ status: 400, outcome: 'malformed' });
});

test('C6 a filter in place of an id matches no row', async () => {
  await registerOrder(world);
  const body = { svc_uid: 'svc_1', merchant_uid: { not: '' } };
  const answer = await expectNoEffect(world, () => world.notify(body));
  expect(answer).toEqual({ status: 400, outcome: 'malformed' });
});

test('C7 an answer about another payment is refused and told', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await answerNextFetch(world, 'svc_of_somebody_else', uid, ',"amount":1000');
  await expectRefused(world, svc_uid, uid, 'order_mismatch');
  expect(await discrepanciesOf(world, uid)).toMatchObject([
    { kind: 'order_mismatch', expected: svc_uid, actual: 'svc_of_somebody_else' },
  ]);
});

test('C8 a genuine payment replayed for another order pays for neither', async () => {
  const cheap = await registerOrder(world);
  const other = await registerOrder(world);
  const { svc_uid } = await paySilently(world, cheap);
  await expectRefused(world, svc_uid, other, 'order_mismatch');
  expect(await discrepanciesOf(world, other)).toEqual([
    { kind: 'order_mismatch', expected: other, actual: cheap, times_seen: 1 },
  ]);
  expect(await orderStatus(world, cheap)).toBe('open');
  expect(await sendNotification(world, svc_uid, cheap)).toEqual({ status: 200, outcome: 'recorded' });
});

test('C8 a payment that moves to another order after it was stored pays for one order only', async () => {
  const first = await registerOrder(world);
  const second = await registerOrder(world);
  const { svc_uid } = await paySilently(world, first);
  await sendNotification(world, svc_uid, first);
  await world.sandbox.control(svc_uid, 'tamper', { merchant_uid: second });
  await expectRefused(world, svc_uid, second, 'order_mismatch');
  expect([await orderStatus(world, first), await orderStatus(world, second)]).toEqual(['paid', 'open']);
});

test.each([999, 1001])(
  'C9 %d won for an order of 1000 is a mismatch, told once however often it is seen',
  async (amount) => {
    const uid = await registerOrder(world);
    const { svc_uid } = await paySilently(world, uid, { amount });
    for (let times = 1; times <= 5; times += 1) await expectRefused(world, svc_uid, uid, 'amount_mismatch');
    expect(await discrepanciesOf(world, uid)).toEqual([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: `${amount} KRW`, times_seen: 5 },
    ]);
    expect(await orderStatus(world, uid)).toBe('open');
    expect((await world.api('GET', `/api/payments/${svc_uid}`)).status).toBe(404);
  },
);

test('C9 an amount that was changed at the service after it was stored is not taken over', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await sendNotification(world, svc_uid, uid);
  await world.sandbox.control(svc_uid, 'tamper', { amount: 1 });
  await expectRefused(world, svc_uid, uid, 'amount_mismatch');
  expect(await orderStatus(world, uid)).toBe('paid');
});

test.each([
  ',"amount":"1000"',
  ',"amount":null',
  '',
  ',"amount":-1000',
  ',"amount":9007199254740993',
  ',"amount":10.5',
])(
  'C10 the amount %j is no amount: asked again later, never paid, never called a mismatch',
  async (amount) => {
    const uid = await registerOrder(world);
    const { svc_uid } = await paySilently(world, uid);
    await answerNextFetch(world, svc_uid, uid, amount);
    expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
    expect(await notificationsOf(world, uid)).toEqual([{ outcome: 'queued', reason: 'bad_answer' }]);
    expect(await discrepanciesOf(world, uid)).toEqual([]);
    expect(await orderStatus(world, uid)).toBe('open');
    await world.advance(2);
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test.each([',"amount":1000.0', ',"amount":1e3'])('C11 %s is the integer it equals', async (amount) => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await answerNextFetch(world, svc_uid, uid, amount);
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('C12 a thousand dollars are not a thousand won', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid, { currency: 'USD' });
  await expectRefused(world, svc_uid, uid, 'currency_mismatch');
  expect(await discrepanciesOf(world, uid)).toEqual([
    { kind: 'currency_mismatch', expected: 'KRW', actual: 'USD', times_seen: 1 },
  ]);
});

test('C13 an amount without a currency is held for review', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  const body = {
    code: 0,
    message: null,
    response: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid', amount: 1000 },
  };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body });
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await discrepanciesOf(world, uid)).toMatchObject([
    { kind: 'needs_review', expected: 'KRW', actual: null },
  ]);
  expect(await orderStatus(world, uid)).toBe('open');
});

test('C14 an unknown order is looked at again for ten minutes, and no longer', async () => {
  const uid = newUid();
  const { svc_uid } = await paySilently(world, uid);
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 400, outcome: 'unknown_order' });
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, () => world.advance(3600))).toBe(0);
  expect(
    await world.rows.query('select next_attempt_at from notifications where svc_uid = $1', [svc_uid]),
  ).toEqual([{ next_attempt_at: null }]);
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'unknown_order', times_seen: 7 }]);
});

test('C15 a fetched status behind the notification is stored, and looked at again', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid, { outcome: 'virtual_account' });
  expect(await sendNotification(world, svc_uid, uid, 'paid')).toEqual({ status: 200, outcome: 'recorded' });
  expect(await orderStatus(world, uid)).toBe('awaiting_deposit');
  await world.withoutNotifications(() => world.sandbox.control(svc_uid, 'deposit'));
  await world.advance(1);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test.each(['failed', 'cancelled', 'ready'])(
  'C16 a notification that says %s of a paid payment pays the order',
  async (word) => {
    const uid = await registerOrder(world);
    const { svc_uid } = await paySilently(world, uid);
    expect(await sendNotification(world, svc_uid, uid, word)).toEqual({ status: 200, outcome: 'recorded' });
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test('C17 an unknown payment is looked at five times more in ten minutes, then closed', async () => {
  const uid = await registerOrder(world);
  await expectRefused(world, 'svc_that_is_not_there', uid, 'unknown_payment');
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  expect(
    await world.rows.query('select attempts, next_attempt_at from notifications where merchant_uid = $1', [
      uid,
    ]),
  ).toEqual([{ attempts: 6, next_attempt_at: null }]);
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'unknown_payment', times_seen: 6 }]);
});

test('C19 a second payment of a paid order is kept, and told', async () => {
  const uid = await registerOrder(world);
  const first = await paySilently(world, uid);
  await sendNotification(world, first.svc_uid, uid);
  const second = await paySilently(world, uid);
  expect(await sendNotification(world, second.svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'duplicate_payment' }]);
  expect(await getOrder(world, uid)).toMatchObject({
    status: 'paid',
    payments: [{}, {}],
  });
});

test('C22 more cancelled than paid is held for review', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await answerNextFetch(world, svc_uid, uid, ',"amount":1000,"cancel_amount":1001');
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'needs_review' }]);
});

test('C24 a payment of a cancelled order is kept, and told', async () => {
  const uid = await registerOrder(world);
  const first = await paySilently(world, uid);
  await sendNotification(world, first.svc_uid, uid);
  await world.sandbox.control(first.svc_uid, 'cancel');
  expect(await orderStatus(world, uid)).toBe('cancelled');
  const second = await paySilently(world, uid);
  await sendNotification(world, second.svc_uid, uid);
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'paid_after_close' }]);
});

test('C27 huge and marked-up texts of the record are bounded', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await answerNextFetch(
    world,
    svc_uid,
    uid,
    `,"amount":1000,"buyer_name":"${'<b>'.repeat(50_000)}","fail_reason":"${'x'.repeat(5000)}","custom_data":"'; drop table orders; --"`,
  );
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  const [row] = await world.rows.query<{ size: number }>(
    'select length(record::text) as size from payments where svc_uid = $1',
    [svc_uid],
  );
  expect(row?.size).toBeLessThan(10_000);
});
