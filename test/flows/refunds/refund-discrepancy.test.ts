// A payment that does not fit can be refunded in full, and is never recorded as paid.

import { callService } from '../../support/calls';
import {
  CANCEL_PAYMENT,
  discrepancyOf,
  expectRefundNotSent,
  payForNobody,
  refundDiscrepancy,
  refundsOf,
} from '../../support/discrepancies';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';

const world = useRecordedWorld();
// Polls of an earlier test would be counted.
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const refund = (id: string, fields?: Record<string, unknown>) => refundDiscrepancy(world, id, fields);
const expectNotSent = (id: string) => expectRefundNotSent(world, id);
const atService = (svcUid: string): Promise<Record<string, unknown>> =>
  callService(world, `/payments/${svcUid}`);
const paymentRows = (svcUid: string) =>
  world.rows.query('select * from payments where svc_uid = $1', [svcUid]);

/** A payment that is notified for an order that it does not fit. */
async function payUnfit(merchantUid: string, kind: string, payment: object, paidFor = merchantUid) {
  const { svc_uid: svcUid } = await paySilently(world, paidFor, { ...payment });
  await sendNotification(world, svcUid, merchantUid);
  return { svcUid, id: (await discrepancyOf(world, svcUid, kind)).id };
}

test('the balance of a payment that matches no order is refunded: the discrepancy is resolved, and payments has no row', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 300 }));
  const money = await world.rows.money();
  const { status, body } = await refund(id, { by: 'kim' });

  expect([status, body.outcome]).toEqual([200, 'refunded']);
  const settled = { resolution: 'refunded', resolved_by: 'kim', resolution_note: 'fits no order' };
  expect(body.discrepancy).toMatchObject({ id, kind: 'unknown_order', ...settled });
  expect(body.discrepancy.resolved_at).not.toBeNull();
  expect(await refundsOf(world, svcUid)).toMatchObject([
    { status: 'refunded', amount: '700', cancelled_before: '300', discrepancy_id: id, requested_by: 'kim' },
  ]);
  const sent = { abc_uid: svcUid, amount: 700, checksum: 700, reason: 'fits no order' };
  expect(world.sent('/payments/cancel').at(-1)).toEqual(sent);
  expect(await atService(svcUid)).toMatchObject({ cancel_amount: 1000 });
  expect(await paymentRows(svcUid)).toEqual([]);
  expect(await world.rows.money()).toBe(money);
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { level: 30, decided: 'discrepancy', svc_uid: svcUid, outcome: 'refunded', by: 'kim' },
  ]);
  expect(await expectNotSent(id)).toEqual([409, 'already_settled']);
});

test('a lost answer is 202, a second request is refused, and a poll resolves refund and discrepancy', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const lost = await refund(id, { by: 'kim' });
  expect([lost.status, lost.body.outcome, lost.body.discrepancy.resolution]).toEqual([202, 'unknown', null]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'unknown' }]);
  expect(await expectNotSent(id)).toEqual([409, 'nothing_to_cancel']);
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, () => world.advance(6));
  expect(calls).toBe(0);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  const settled = { resolution: 'refunded', resolved_by: 'kim', resolution_note: 'fits no order' };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(settled);
  expect(await paymentRows(svcUid)).toEqual([]);
});

test('while its discrepancy cannot be written a refund stays open, and a poll resolves both', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  await world.rows.query(
    'alter table discrepancies add constraint dead check (resolution is null) not valid',
  );
  try {
    expect((await refund(id)).status).toBe(202);
  } finally {
    await world.rows.query('alter table discrepancies drop constraint dead');
  }
  const status = async () => (await refundsOf(world, svcUid)).map((row) => row['status']);
  expect(await status()).toEqual(['unknown']);
  await world.advance(6);
  expect(await status()).toEqual(['refunded']);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolution: 'refunded' });
});

test('a refusal of the service resolves nothing, and its message is returned', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const body = { code: 1, message: 'the shop is closed', response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 200, body });
  const refused = await refund(id);
  const error = { code: 'refund_refused', message: 'the shop is closed' };
  expect([refused.status, refused.body.error]).toMatchObject([400, error]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refused', reason: 'the shop is closed' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolved_at: null });
  expect((await refund(id)).status).toBe(200);
});

test('a payment of another currency, one without a matching order, and one for a cancelled order are refunded', async () => {
  const merchantUid = await registerOrder(world);
  const closed = await registerOrder(world);
  const { svc_uid: first } = await world.sandbox.pay({ merchant_uid: closed, amount: 1000 });
  await world.sandbox.control(first, 'cancel');
  const unfit = [
    await payUnfit(merchantUid, 'currency_mismatch', { currency: 'USD' }),
    await payUnfit(merchantUid, 'order_mismatch', {}, 'nowhere'),
    await payUnfit(closed, 'paid_after_close', {}),
  ];
  for (const { svcUid, id } of unfit) {
    expect((await refund(id)).body.outcome).toBe('refunded');
    const { amount, cancel_amount: cancelled } = await atService(svcUid);
    expect(cancelled).toBe(amount);
  }
  for (const { svcUid } of unfit.slice(0, 2)) expect(await paymentRows(svcUid)).toEqual([]);
  expect(await orderStatus(world, merchantUid)).toBe('open');
  expect(await orderStatus(world, closed)).toBe('cancelled');
});

test('a payment that holds no money or cannot be fetched is not refunded', async () => {
  const merchantUid = await registerOrder(world);
  await sendNotification(world, 'svc_nobody', merchantUid);
  const unknown = await discrepancyOf(world, 'svc_nobody', 'unknown_payment');
  expect(await expectNotSent(unknown.id)).toEqual([409, 'discrepancy_not_refundable']);
  const { svcUid, id } = await payForNobody(world, newUid());
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await expectNotSent(id)).toEqual([503, 'service_unavailable']);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  expect(await expectNotSent(id)).toEqual([409, 'nothing_to_cancel']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(await expectNotSent('999999')).toEqual([404, 'discrepancy_not_found']);
});

test('a deposit that fits no order is not refunded without an account of the buyer', async () => {
  const { id } = await payForNobody(world, newUid(), { outcome: 'virtual_account' });
  expect(await expectNotSent(id)).toEqual([400, 'invalid_request']);
  const account = { holder: 'Kim', bank: '088', account: '110-1234' };
  expect((await refund(id, { refund_account: account })).body.outcome).toBe('refunded');
});

/** Until then the service may still show the outcome of a call. */
const TEN_MINUTES = 600;

/** A refund of a discrepancy whose answer was lost. With `lost_response` the service executed it, with `reset` it did not. */
async function loseRefund({ svcUid, id }: { svcUid: string; id: string }, kind: 'lost_response' | 'reset') {
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind });
  expect((await refund(id)).status).toBe(202);
  world.clock.advance(TEN_MINUTES);
  const [row] = await refundsOf(world, svcUid);
  const settle = async (outcome: string) => {
    const decision = { outcome, note: 'seen in the console', by: 'lee' };
    return (await world.api('POST', `/api/refunds/${row?.id}/settle`, decision)).status;
  };
  return { svcUid, settle };
}

test('a person who records the refund of a discrepancy as made also resolves it', async () => {
  const { svcUid, settle } = await loseRefund(await payForNobody(world, newUid()), 'lost_response');
  expect(await settle('refunded')).toBe(200);
  const settled = { resolution: 'refunded', resolved_by: 'lee', resolution_note: 'seen in the console' };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(settled);
  expect(await paymentRows(svcUid)).toEqual([]);
});

test.each([
  ['made, of a payment with a refundable balance', 'lost_response', 'refunded', 1500],
  ['not made, of a payment that holds none', 'reset', 'not_executed', 0],
] as const)('a refund that a person records as %s leaves its discrepancy open', async (...row) => {
  const [, kind, outcome, amount] = row;
  const { svcUid, settle } = await loseRefund(await payForNobody(world, newUid()), kind);
  await world.sandbox.control(svcUid, 'tamper', { amount });
  expect(await settle(outcome)).toBe(200);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolved_at: null });
});

test.each([
  ['lost_response', 'refunded', 'not_executed'],
  ['reset', 'not_executed', 'refunded'],
] as const)('a refund of all that is left, by %s, can only be recorded as %s', async (kind, right, wrong) => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  await world.sandbox.control(svcUid, 'tamper', { amount: 10.5 });
  await sendNotification(world, svcUid, merchantUid);
  const { id } = await discrepancyOf(world, svcUid, 'needs_review');
  const { settle } = await loseRefund({ svcUid, id }, kind);
  expect([await settle(wrong), await settle(right)]).toEqual([409, 200]);
});
