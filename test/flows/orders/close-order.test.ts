// An order that nobody has paid can be closed. What is paid all the same is recorded, and a person is told.

import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import {
  charge,
  chargesOf,
  discrepanciesOf,
  getOrder,
  newUid,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { useWorld } from '../../support/use-world';

const PAY_AGAIN = 'POST /subscribe/payments/again';

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});

const close = (merchantUid: string) => world.api('POST', `/api/orders/${merchantUid}/close`);
const closedEvents = (merchantUid: string) =>
  world.rows.query(`select version from events where stream = $1 and type = 'order.closed'`, [merchantUid]);

test('an open order is closed once, and can then not be charged', async () => {
  const merchantUid = await registerOrder(world);
  const closed = await close(merchantUid);
  expect([closed.status, closed.body.status]).toEqual([200, 'closed']);
  const again = await expectNoEffect(world, () => close(merchantUid));
  expect([again.status, again.body]).toEqual([200, closed.body]);
  expect(await closedEvents(merchantUid)).toEqual([{ version: 1 }]);

  const refused = await charge(world, merchantUid, key.customerUid);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'order_not_payable']);
  expect(await chargesOf(world, merchantUid)).toEqual([]);
});

test('an order whose payment failed can be closed, and a later failure leaves it closed', async () => {
  const merchantUid = await registerOrder(world);
  const fail = async () => {
    const { svc_uid } = await paySilently(world, merchantUid, { outcome: 'failed' });
    expect(await sendNotification(world, svc_uid, merchantUid, 'failed')).toMatchObject({
      outcome: 'recorded',
    });
  };
  await fail();
  expect((await close(merchantUid)).body.status).toBe('closed');
  await fail();
  expect(await orderStatus(world, merchantUid)).toBe('closed');
  expect((await getOrder(world, merchantUid)).payments).toHaveLength(2);
});

test('C24 what is paid after an order was closed is recorded and shows as paid_after_close', async () => {
  const merchantUid = await registerOrder(world);
  await close(merchantUid);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([
    { kind: 'paid_after_close', expected: 'closed', actual: '1000 KRW' },
  ]);
});

test('an order with money, or with money on its way, is not closed', async () => {
  const paid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  const scheduled = newUid();
  const scheduleAt = Math.floor(world.clock.nowMs() / 1000) + 3600;
  const plan = { merchant_uid: scheduled, name: 'Tea', amount: 1000, schedule_at: scheduleAt };
  await world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...plan });
  const lost = await registerOrder(world);
  await world.sandbox.fault({ endpoint: PAY_AGAIN, kind: 'lost_response' });
  await world.withoutNotifications(async () => {
    expect((await charge(world, lost, key.customerUid)).status).toBe(202);
  });

  for (const merchantUid of [paid, scheduled, lost]) {
    const { status, body } = await expectNoEffect(world, () => close(merchantUid));
    expect([status, body.error.code]).toEqual([409, 'order_not_closable']);
  }
});

test('a charge and a closing at the same time: one of them wins, and no closed order is charged', async () => {
  for (let round = 0; round < 12; round += 1) {
    const merchantUid = await registerOrder(world);
    const [closed, charged] = await Promise.all([
      close(merchantUid),
      charge(world, merchantUid, key.customerUid),
    ]);
    expect([
      [200, 409],
      [409, 200],
    ]).toContainEqual([closed.status, charged.status]);
    expect(await orderStatus(world, merchantUid)).toBe(closed.status === 200 ? 'closed' : 'paid');
    expect(await chargesOf(world, merchantUid)).toHaveLength(charged.status === 200 ? 1 : 0);
  }
});

test('a virtual account keeps no order from being closed: its deposit is recorded, and shows as paid_after_close', async () => {
  const merchantUid = await registerOrder(world);
  const account = { merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid } = await world.sandbox.pay(account);
  expect(await orderStatus(world, merchantUid)).toBe('awaiting_deposit');
  expect((await close(merchantUid)).body.status).toBe('closed');
  // Told of once more, and with another account: it stays closed.
  await world.sandbox.control(svc_uid, 'notify');
  await world.sandbox.pay(account);
  expect(await orderStatus(world, merchantUid)).toBe('closed');
  await world.sandbox.control(svc_uid, 'deposit');
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([
    { kind: 'paid_after_close', expected: 'closed', actual: '1000 KRW' },
  ]);
});

test.each(['nobody', '..', 'a%2Fb', '%00'])('an order %s is not found', async (merchantUid) => {
  expect((await close(merchantUid)).status).toBe(404);
});
