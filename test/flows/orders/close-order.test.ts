// An order that nobody has paid can be closed. What is paid all the same is recorded, and a person is told.

import { CHARGE_KEY } from '../../support/endpoints';
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

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});

const close = (merchantUid: string) => world.api('POST', `/api/orders/${merchantUid}/close`);
const PAID_AFTER_CLOSE = { kind: 'paid_after_close', expected: 'closed', actual: '1000 KRW' };

test('an open order is closed and told once, and can then not be charged; what is paid shows as paid_after_close', async () => {
  const merchantUid = await registerOrder(world);
  const closed = await close(merchantUid);
  expect([closed.status, closed.body.status]).toEqual([200, 'closed']);
  expect(await expectNoEffect(world, () => close(merchantUid))).toEqual({ status: 200, body: closed.body });
  const told = await world.rows.query(
    `select version, data->>'previous_status' as before from events where stream = $1 and type = 'order.closed'`,
    [merchantUid],
  );
  expect(told).toEqual([{ version: 1, before: 'open' }]);

  const refused = await charge(world, merchantUid, key.customerUid);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'order_not_payable']);
  expect(await chargesOf(world, merchantUid)).toEqual([]);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([PAID_AFTER_CLOSE]);
});

test('an order whose payment failed can be closed, and a later failure leaves it closed', async () => {
  const merchantUid = await registerOrder(world);
  const fail = async () => {
    const { svc_uid } = await paySilently(world, merchantUid, { outcome: 'failed' });
    expect((await sendNotification(world, svc_uid, merchantUid, 'failed')).outcome).toBe('recorded');
  };
  await fail();
  expect((await close(merchantUid)).body.status).toBe('closed');
  await fail();
  expect(await orderStatus(world, merchantUid)).toBe('closed');
  expect((await getOrder(world, merchantUid)).payments).toHaveLength(2);
});

test('an order with money, or with money on its way, is not closed', async () => {
  const paid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  const scheduled = newUid();
  const schedule_at = Math.floor(world.clock.nowMs() / 1000) + 3600;
  const planned = { merchant_uid: scheduled, name: 'Tea', amount: 1000, schedule_at };
  await world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...planned });
  const lost = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
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
    const both = [close(merchantUid), charge(world, merchantUid, key.customerUid)];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    const isClosed = statuses[0] === 200;
    expect(statuses).toEqual(isClosed ? [200, 409] : [409, 200]);
    expect(await orderStatus(world, merchantUid)).toBe(isClosed ? 'closed' : 'paid');
    expect(await chargesOf(world, merchantUid)).toHaveLength(isClosed ? 0 : 1);
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
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([PAID_AFTER_CLOSE]);
});

test.each(['nobody', '..', '%00'])('an order %s is not found', async (merchantUid) => {
  expect((await close(merchantUid)).status).toBe(404);
});
