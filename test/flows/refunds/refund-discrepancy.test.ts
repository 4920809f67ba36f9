// A payment that did not fit is given back in full, and never taken into the books as paid.

import { codeOf } from '../../support/call-api';
import { callService } from '../../support/call-service';
import {
  CANCEL_PAYMENT,
  discrepancyOf,
  expectRefundNotSent,
  payForNobody,
  refundDiscrepancy,
  refundsOf,
} from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { expectNoEffect } from '../../support/no-effect';
import { orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';

const world = useRecordedWorld();
// Polls of an earlier test would be counted.
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const refund = (id: string, fields?: Record<string, unknown>) => refundDiscrepancy(world, id, fields);
const atService = async (svcUid: string) =>
  (await callService(world, `/payments/${svcUid}`)) as { status: string; cancel_amount: number };
const paymentRows = (svcUid: string) =>
  world.rows.query('select * from payments where svc_uid = $1', [svcUid]);
const expectNotSent = (id: string, fields?: Record<string, unknown>) =>
  expectRefundNotSent(world, id, fields);

test('a payment that fits no order is given back in full: the discrepancy is settled, and payments has no row', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-nobody');
  const money = await world.rows.money();
  const { status, body } = await refund(id, { by: 'kim' });

  expect([status, body.outcome]).toEqual([200, 'refunded']);
  expect(body.discrepancy).toMatchObject({
    id,
    kind: 'unknown_order',
    resolution: 'refunded',
    resolved_by: 'kim',
    resolution_note: 'fits no order',
  });
  expect(body.discrepancy.resolved_at).not.toBeNull();
  expect(await refundsOf(world, svcUid)).toMatchObject([
    { status: 'refunded', amount: '1000', cancelled_before: '0', discrepancy_id: id, requested_by: 'kim' },
  ]);
  expect(world.sent('/payments/cancel').at(-1)).toEqual({
    abc_uid: svcUid,
    amount: 1000,
    checksum: 1000,
    reason: 'fits no order',
  });
  expect(await atService(svcUid)).toMatchObject({ cancel_amount: 1000 });
  expect(await paymentRows(svcUid)).toEqual([]);
  expect(await world.rows.money()).toBe(money);
  expect(world.log.lines().filter(({ event }) => event === 'decision')).toMatchObject([
    { level: 30, decided: 'discrepancy', id, svc_uid: svcUid, outcome: 'refunded', by: 'kim' },
  ]);
  expect(await expectNotSent(id)).toEqual([409, 'already_settled']);
});

test('what was given back before is left out: the rest goes back', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-rest');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 300 }));
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '700', cancelled_before: '300' }]);
});

test('a lost answer is 202, a second request is told so, and a poll settles refund and discrepancy', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-lost');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const lost = await refund(id, { by: 'kim' });
  expect([lost.status, lost.body.outcome, lost.body.discrepancy.resolution]).toEqual([202, 'unknown', null]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'unknown' }]);

  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, () => world.advance(6));
  expect(calls).toBe(0);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({
    resolution: 'refunded',
    resolved_by: 'kim',
    resolution_note: 'fits no order',
  });
  expect(await paymentRows(svcUid)).toEqual([]);
});

test('while the outcome of a refund is open, no other of that payment is sent', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-open');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'reset' });
  expect((await refund(id)).status).toBe(202);
  expect(await expectNotSent(id)).toEqual([409, 'refund_pending']);
  for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'not_executed' }]);
  expect((await refund(id)).body.outcome).toBe('refunded');
});

test('a refund that a killed process left behind is found without a row in payments', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-crash');
  await world.rows.query(
    `insert into refunds (svc_uid, discrepancy_id, amount, cancelled_before, cancel_reason, status, started_at)
     values ($1, $2, 1000, 0, 'crash', 'pending', $3)`,
    [svcUid, id, world.clock.now()],
  );
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  await world.restartMerchant();
  await world.runEveryMinute(61);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolution: 'refunded' });
});

test('where the service refuses, nothing is settled, and its message is told', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-refused');
  const body = { code: 1, message: 'the shop is closed', response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 200, body });
  const refused = await refund(id);
  expect([refused.status, refused.body.error]).toEqual([
    400,
    { code: 'refund_refused', message: 'the shop is closed' },
  ]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refused', reason: 'the shop is closed' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolved_at: null });
  expect((await refund(id)).status).toBe(200);
});

test('where the service cannot be asked, nothing is sent and nothing is written', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-down');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await expectNotSent(id)).toEqual([503, 'service_unavailable']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
});

test('a payment of another amount is given back, and its order stays open', async () => {
  await registerOrder(world, 'back-amount');
  const { svc_uid: svcUid } = await paySilently(world, 'back-amount', { amount: 900 });
  await sendNotification(world, svcUid, 'back-amount');
  const { id } = await discrepancyOf(world, svcUid, 'amount_mismatch');
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await atService(svcUid)).toMatchObject({ cancel_amount: 900 });
  expect(await paymentRows(svcUid)).toEqual([]);
  expect(await orderStatus(world, 'back-amount')).toBe('open');
  // The same difference, seen again, opens nothing.
  await sendNotification(world, svcUid, 'back-amount', 'cancelled');
  expect(await discrepancyOf(world, svcUid, 'amount_mismatch')).toMatchObject({
    times_seen: 3,
    resolution: 'refunded',
  });
});

test('a payment that nobody can judge, because its currency is missing, is given back', async () => {
  await registerOrder(world, 'back-review');
  const { svc_uid: svcUid } = await paySilently(world, 'back-review');
  const response = { abc_uid: svcUid, merchant_uid: 'back-review', status: 'paid', amount: 1000 };
  const withoutCurrency = { kind: 'status', status: 200, body: { code: 0, message: null, response } };
  // Seen by the notification, by the refund, and by the sync of the refund.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, ...withoutCurrency, times: 3 });
  expect((await sendNotification(world, svcUid, 'back-review')).outcome).toBe('queued');
  const { id } = await discrepancyOf(world, svcUid, 'needs_review');
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await atService(svcUid)).toMatchObject({ cancel_amount: 1000 });
  expect(await discrepancyOf(world, svcUid, 'needs_review')).toMatchObject({ resolution: 'refunded' });
  expect(await paymentRows(svcUid)).toEqual([]);
  expect(await orderStatus(world, 'back-review')).toBe('open');
});

test('a payment in another currency is given back', async () => {
  await registerOrder(world, 'back-currency');
  const { svc_uid: svcUid } = await paySilently(world, 'back-currency', { currency: 'USD' });
  await sendNotification(world, svcUid, 'back-currency');
  const { id } = await discrepancyOf(world, svcUid, 'currency_mismatch');
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await atService(svcUid)).toMatchObject({ cancel_amount: 1000 });
});

test('a replayed payment that fits no order at all is given back', async () => {
  await registerOrder(world, 'back-target');
  const { svc_uid: svcUid } = await paySilently(world, 'back-nowhere');
  expect((await sendNotification(world, svcUid, 'back-target')).outcome).toBe('order_mismatch');
  const { id } = await discrepancyOf(world, svcUid, 'order_mismatch');
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await orderStatus(world, 'back-target')).toBe('open');
});

test('a payment without a row is given back once, whoever asks at the same time', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-race');
  let answers: { status: number; body: any }[] = [];
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    answers = await Promise.all(['kim', 'lee', 'park'].map((by) => refund(id, { by })));
  });
  expect(calls).toBe(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await refundsOf(world, svcUid)).toHaveLength(1);
});

test('money for a cancelled order is given back', async () => {
  await registerOrder(world, 'back-closed');
  const { svc_uid: first } = await world.sandbox.pay({ merchant_uid: 'back-closed', amount: 1000 });
  await world.sandbox.control(first, 'cancel');
  const { svc_uid: late } = await world.sandbox.pay({ merchant_uid: 'back-closed', amount: 1000 });
  const { id } = await discrepancyOf(world, late, 'paid_after_close');
  expect((await refund(id)).body.outcome).toBe('refunded');
  expect(await orderStatus(world, 'back-closed')).toBe('cancelled');
});

test('a database that goes away during the call makes no error of it: 202, and the poll settles the discrepancy', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-gone');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'delay', delay_ms: 1000, times: 1 });
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const before = await world.sandbox.requests(CANCEL_PAYMENT);
    const answer = refund(id);
    await eventually(async () => (await world.sandbox.requests(CANCEL_PAYMENT)) > before);
    await world.withoutDatabase(async () => {
      expect(await answer).toMatchObject({ status: 202, body: { outcome: 'unknown', discrepancy: { id } } });
    });
    await world.runEveryMinute(61);
    expect(await codeOf(refund(id))).toEqual([409, 'already_settled']);
  });
  expect(calls).toBe(1);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
}, 30_000);

test('a deposit needs the buyer’s account, which is passed on and kept nowhere', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-vbank', { outcome: 'virtual_account' });
  expect(await expectNotSent(id)).toEqual([400, 'invalid_request']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
  const account = { holder: '김카나리아', bank: '088', account: '110-4321-987654' };
  expect((await refund(id, { refund_account: account })).body.outcome).toBe('refunded');
  expect(world.sent('/payments/cancel').at(-1)).toMatchObject({ refund_account: '110-4321-987654' });
  const kept = `${await world.rows.dump()}\n${world.log.text()}`;
  for (const trace of [account.holder, account.account]) expect(kept).not.toContain(trace);
});

test('a payment that nobody knows, and one whose state went back, hold nothing to give back', async () => {
  await registerOrder(world, 'back-none');
  await sendNotification(world, 'svc_back_none', 'back-none');
  const { id } = await discrepancyOf(world, 'svc_back_none', 'unknown_payment');
  expect(await expectNotSent(id)).toEqual([409, 'discrepancy_not_refundable']);
  const [row] = await world.rows.query<{ id: string }>(
    `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at)
     values ('status_went_back', 'svc_back_1', 'back-none', now(), now()) returning id`,
  );
  expect(await expectNotSent(row?.id ?? '')).toEqual([409, 'discrepancy_not_refundable']);
});

test('a payment whose money is back already, or that the service does not know, is not asked for again', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-done');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  expect(await expectNotSent(id)).toEqual([409, 'nothing_to_cancel']);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, status: 404, times: 1 });
  expect(await expectNotSent(id)).toEqual([404, 'service_not_found']);
});

test.each([
  ['without a reason', { reason: undefined }, 400],
  ['with an amount', { amount: 300 }, 400],
  ['with a reason of 257 characters', { reason: 'x'.repeat(257) }, 400],
  ['with a name of 65 characters', { by: 'x'.repeat(65) }, 400],
])('a refund %s is refused, and nothing is sent', async (_, fields, status) => {
  const { id } = await payForNobody(world, `back-bad-${_.replace(/\W/g, '')}`.slice(0, 40));
  expect((await expectNoEffect(world, () => refund(id, fields))).status).toBe(status);
});

test.each(['999999', '0', 'abc', '1e3', '9'.repeat(19)])('no discrepancy has the id %s: 404', async (id) => {
  const { status, body } = await expectNoEffect(world, () => refund(id));
  expect([status, body.error.code]).toEqual([404, 'discrepancy_not_found']);
});
