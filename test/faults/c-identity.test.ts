// faults.md C: which payment it is, for which order, and in which state.

import { createPaidOrders, type PaidOrders } from '../support/paid-orders';
import { startWorld, type World } from '../support/world';

let world: World;
let orders: PaidOrders;
beforeAll(async () => {
  world = await startWorld();
  orders = createPaidOrders(world);
});
afterAll(() => world.close());

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
  const uid = await orders.order(orders.newUid());
  const calls = await world.sandbox.allRequests();
  const before = await world.rows.dump();
  expect(await orders.ring(id, uid)).toEqual({ status: 400, outcome: 'malformed' });
  expect(await orders.ring('svc_1', id)).toEqual({ status: 400, outcome: 'malformed' });
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.dump()).toBe(before);
});

test('C2 a payment_id of dots only is malformed', async () => {
  const calls = await world.sandbox.allRequests();
  expect(await world.notify({ tx_id: 'a', payment_id: '...', status: 'paid' })).toEqual({
    status: 400,
    outcome: 'malformed',
  });
  expect(await world.sandbox.allRequests()).toBe(calls);
});

test('C6 a filter in place of an id matches no row', async () => {
  await orders.order(orders.newUid());
  const before = await world.rows.dump();
  const answer = await world.notify({ svc_uid: 'svc_1', merchant_uid: { not: '' } });
  expect(answer).toEqual({ status: 400, outcome: 'malformed' });
  expect(await world.rows.dump()).toBe(before);
});

test('C8 a genuine payment replayed for another order pays for neither', async () => {
  const cheap = await orders.order(orders.newUid());
  const other = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(cheap);
  await orders.expectRefused(svc_uid, other, 'order_mismatch');
  expect(await orders.discrepancies(other)).toEqual([
    { kind: 'order_mismatch', expected: other, actual: cheap, times_seen: 1 },
  ]);
  expect(await orders.status(cheap)).toBe('open');
  expect(await orders.ring(svc_uid, cheap)).toEqual({ status: 200, outcome: 'recorded' });
});

test('C8 a payment that moves to another order after it was stored pays for one order only', async () => {
  const first = await orders.order(orders.newUid());
  const second = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(first);
  await orders.ring(svc_uid, first);
  await world.sandbox.control(svc_uid, 'tamper', { merchant_uid: second });
  await orders.expectRefused(svc_uid, second, 'order_mismatch');
  expect([await orders.status(first), await orders.status(second)]).toEqual(['paid', 'open']);
});

test('C7 an answer about another payment is refused and told', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  await orders.answerWith('svc_of_somebody_else', uid, ',"amount":1000');
  await orders.expectRefused(svc_uid, uid, 'order_mismatch');
  expect(await orders.discrepancies(uid)).toMatchObject([
    { kind: 'order_mismatch', expected: svc_uid, actual: 'svc_of_somebody_else' },
  ]);
});

test('C14 an unknown order is looked at again for ten minutes, and no longer', async () => {
  const uid = orders.newUid();
  const { svc_uid } = await orders.pay(uid);
  expect(await orders.ring(svc_uid, uid)).toEqual({ status: 400, outcome: 'unknown_order' });
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  const calls = await world.sandbox.requests('GET /payments/:svc_uid');
  await world.advance(3600);
  expect(await world.sandbox.requests('GET /payments/:svc_uid')).toBe(calls);
  expect(
    await world.rows.query('select next_attempt_at from notifications where svc_uid = $1', [svc_uid]),
  ).toEqual([{ next_attempt_at: null }]);
  expect(await orders.discrepancies(uid)).toMatchObject([{ kind: 'unknown_order', times_seen: 7 }]);
});

test('C15 a fetched status behind the notification is stored, and looked at again', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid, { outcome: 'virtual_account' });
  expect(await orders.ring(svc_uid, uid, 'paid')).toEqual({ status: 200, outcome: 'recorded' });
  expect(await orders.status(uid)).toBe('awaiting_deposit');
  await world.sandbox.settings({ webhook_url: 'http://127.0.0.1:9/nobody' });
  await world.sandbox.control(svc_uid, 'deposit');
  await world.advance(1);
  expect(await orders.status(uid)).toBe('paid');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test.each(['failed', 'cancelled', 'ready'])(
  'C16 a notification that says %s of a paid payment pays the order',
  async (word) => {
    const uid = await orders.order(orders.newUid());
    const { svc_uid } = await orders.pay(uid);
    expect(await orders.ring(svc_uid, uid, word)).toEqual({ status: 200, outcome: 'recorded' });
    expect(await orders.status(uid)).toBe('paid');
  },
);

test('C17 an unknown payment is looked at five times more in ten minutes, then closed', async () => {
  const uid = await orders.order(orders.newUid());
  await orders.expectRefused('svc_that_is_not_there', uid, 'unknown_payment');
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  expect(
    await world.rows.query('select attempts, next_attempt_at from notifications where merchant_uid = $1', [
      uid,
    ]),
  ).toEqual([{ attempts: 6, next_attempt_at: null }]);
  expect(await orders.discrepancies(uid)).toMatchObject([{ kind: 'unknown_payment', times_seen: 6 }]);
});

test('C19 a second payment of a paid order is kept, and told', async () => {
  const uid = await orders.order(orders.newUid());
  const first = await orders.pay(uid);
  await orders.ring(first.svc_uid, uid);
  const second = await orders.pay(uid);
  expect(await orders.ring(second.svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await orders.discrepancies(uid)).toMatchObject([{ kind: 'duplicate_payment' }]);
  expect((await world.api('GET', `/api/orders/${uid}`)).body).toMatchObject({
    status: 'paid',
    payments: [{}, {}],
  });
});

test('C24 a payment of a cancelled order is kept, and told', async () => {
  const uid = await orders.order(orders.newUid());
  const first = await orders.pay(uid);
  await orders.ring(first.svc_uid, uid);
  await world.sandbox.control(first.svc_uid, 'cancel');
  expect(await orders.status(uid)).toBe('cancelled');
  const second = await orders.pay(uid);
  await orders.ring(second.svc_uid, uid);
  expect(await orders.discrepancies(uid)).toMatchObject([{ kind: 'paid_after_close' }]);
});
