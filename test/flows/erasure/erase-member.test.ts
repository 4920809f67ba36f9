// A member is erased: planned charges are revoked, the cards are deleted at the service, and no row has personal data, even after
// the payment is fetched again.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { createMemberBrowser } from '../../support/browsers';
import { CARD_THAT_FAILS } from '../../support/cards';
import { DELETE_KEY, erase, fieldsOf, found, newMember, paidOrder, rowsOf } from '../../support/erasure';
import { eventually } from '../../support/eventually';
import { issuancesOf, keyOf, memberIdOf, registerKey } from '../../support/keys';
import {
  charge,
  chargesOf,
  getOrder,
  newUid,
  notificationsOf,
  orderStatus,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { bothSides, runReconcileJob } from '../../support/reconciliation';
import { expectNoEffect } from '../../support/rows';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { HOUR, pass, scheduledWith } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => world.sandbox.clearFaults());

test('M26 an erasure revokes schedules, closes orders, deletes keys and leaves no personal data in any table', async () => {
  const other = await newMember(world);
  await paidOrder(world, other);
  const member = await newMember(world);
  const { merchantUid, svcUid } = await paidOrder(world, member);
  const open = await registerOrder(world, newUid(), fieldsOf(member));
  const declined = await registerOrder(world, newUid(), fieldsOf(member));
  await world.sandbox.pay({ merchant_uid: declined, amount: 1000, outcome: 'failed' });
  // It has no member, and the member's card has paid for it.
  const unnamed = await registerOrder(world, newUid(), { ...fieldsOf(member), member_id: undefined });
  await charge(world, unnamed, member.customerUid);
  const scheduled = newUid();
  const inTwoHours = Math.floor(world.clock.nowMs() / 1000) + 2 * HOUR;
  const order = { ...fieldsOf(member), merchant_uid: scheduled, name: 'Tea', amount: 500 };
  const plan = { ...order, customer_uid: member.customerUid, schedule_at: inTwoHours };
  expect((await world.api('POST', '/api/schedules', plan)).status).toBe(201);
  await pass(world, 0);
  const others = await rowsOf(world, other);
  expect(await found(world, member)).toEqual(member.canaries);
  world.log.clear();

  const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
    const { status, body } = await erase(world, member.memberId);
    expect([status, body]).toMatchObject([200, { status: 'erased', waiting: [], to_check: [] }]);
    expect(body.kept.columns).toEqual(expect.arrayContaining(['orders.amount', 'refunds.cancel_reason']));
    expect(body.kept.columns).not.toContain('orders.buyer_name');
  });
  expect(deletions).toBe(1);
  expect(await found(world, member)).toEqual([]);
  expect(world.log.text()).not.toContain(member.memberId);

  expect((await keyOf(world, member.customerUid))?.['status']).toBe('removed');
  expect(await getOrder(world, merchantUid)).toMatchObject({
    status: 'paid',
    amount: 1000,
    member_id: null,
    payments: [{ svc_uid: svcUid, status: 'paid', amount: 1000, customer_uid: member.customerUid }],
  });
  expect(await orderStatus(world, unnamed)).toBe('paid');
  for (const uid of [open, declined, scheduled])
    expect([uid, await orderStatus(world, uid)]).toEqual([uid, 'closed']);
  expect(await chargesOf(world, scheduled)).toMatchObject([{ status: 'revoked' }]);
  expect(await scheduledWith(world, member)).toEqual([]);
  expect((await world.rows.query('select * from erasures order by id desc'))[0]).toMatchObject({
    member_id: null,
    finished_at: world.clock.now(),
  });
  expect(await rowsOf(world, other)).toEqual(others);

  const paid = (await bothSides(world)).service;
  await pass(world, 3 * HOUR);
  expect((await bothSides(world)).service).toEqual(paid);
});

test('a second erasure has the same answer, and sends and writes nothing', async () => {
  const member = await newMember(world);
  await paidOrder(world, member);
  await pass(world, 0);
  const first = await erase(world, member.memberId);
  await pass(world, 0);
  expect(await expectNoEffect(world, () => erase(world, member.memberId))).toEqual(first);
  expect(await expectNoEffect(world, () => erase(world, 'nobody'))).toEqual(first);
  expect((await expectNoEffect(world, () => erase(world, '%00'))).status).toBe(200);
});

test('M26 a notification, a sync, a refund or reconciliation does not store the erased buyer again', async () => {
  const member = await newMember(world);
  const { merchantUid, svcUid } = await paidOrder(world, member);
  expect((await erase(world, member.memberId)).status).toBe(200);

  const before = await world.rows.money();
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unchanged');
  expect((await syncPayment(world.context(), { svcUid, merchantUid })).outcome).toBe('unchanged');
  const newer = await world.notify({ tx_id: svcUid, payment_id: merchantUid, status: 'PAID' });
  expect(newer.outcome).toBe('unchanged');
  expect(await world.rows.money()).toBe(before);

  const refund = { amount: 300, checksum: 1000, reason: 'one was broken' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, refund)).status).toBe(200);
  const refunded = { cancel_amount: 300, record: { cancel_history: [{ amount: 300 }] } };
  expect((await getOrder(world, merchantUid)).payments).toMatchObject([refunded]);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 700 }));
  await runReconcileJob(world);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  expect((await sendNotification(world, svcUid, merchantUid, 'cancelled')).outcome).toBe('unchanged');
  await pass(world, 0);
  expect(await found(world, member)).toEqual([]);
});

test('M26 a payment after the erasure is recorded without its buyer', async () => {
  const member = await newMember(world);
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  expect((await erase(world, member.memberId)).status).toBe(200);
  const { name, email, tel } = member.buyer;
  const buyer = { buyer_name: name, buyer_email: email, buyer_tel: tel };
  const custom_data = JSON.stringify(member.customData);
  const payment = { merchant_uid: merchantUid, amount: 1000, ...buyer, custom_data };
  const { svc_uid: svcUid } = await world.sandbox.pay(payment);
  expect((await notificationsOf(world, merchantUid)).at(-1)).toMatchObject({ outcome: 'recorded' });
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] });
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unchanged');
  expect(await found(world, member)).toEqual([]);
});

test('a sync that began before the erasure writes nothing', async () => {
  const member = await newMember(world);
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  const payment = { merchant_uid: merchantUid, amount: 1000, buyer_name: member.buyer.name };
  const { svc_uid: svcUid } = await world.sandbox.pay(payment);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 100 }));
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1500 });
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  const slow = sendNotification(world, svcUid, merchantUid, 'cancelled');
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) > fetches);
  expect((await erase(world, member.memberId)).status).toBe(200);
  expect((await slow).outcome).toBe('recorded');
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');
  expect(await found(world, member)).toEqual([]);
});

test('an erased order cannot be charged, even if the service reverts its payment', async () => {
  const member = await newMember(world);
  const { merchantUid } = await paidOrder(world, member);
  await erase(world, member.memberId);
  await world.rows.query(`update orders set status = 'open' where merchant_uid = $1`, [merchantUid]);
  const other = await registerKey(world);
  const { status, body } = await expectNoEffect(world, () => charge(world, merchantUid, other.customerUid));
  expect([status, body.error.code]).toEqual([409, 'order_not_payable']);
});

test('a removed card keeps no digits, and its consent stays', async () => {
  const member = createMemberBrowser(world);
  const memberId = await memberIdOf(member);
  const { customerUid } = await registerKey(world, { memberId, card_number: CARD_THAT_FAILS });
  await member.remove(await member.openRemoval());
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed', card_number: null });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'issued', card_last_four: '****', privacy_version: expect.any(String) },
  ]);
});

test('the daily job deletes old rows', async () => {
  await world.rows.query(`select graphile_worker.add_job('delete-old-rows', run_at := 'epoch')`);
  await world.advance(0);
  expect(world.log.events('old_rows_deleted')).toHaveLength(1);
});
