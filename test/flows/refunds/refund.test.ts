// Money is given back in full and in part, once, and never more than was taken.

import { codeOf } from '../../support/call-api';
import { CANCEL_PAYMENT, refundsOf } from '../../support/discrepancies';
import { eventually } from '../../support/eventually';
import { expectNoEffect } from '../../support/no-effect';
import { getOrder, newUid, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

/** An order of 1000 won that is paid. */
async function paid() {
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const cancelledAmount = async () => (await getOrder(world, merchantUid)).payments[0].cancel_amount;
  return { merchantUid, svcUid, cancelledAmount };
}
const cancel = (svcUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'changed my mind', ...fields });
const PART = { amount: 300, checksum: 1000 };

test('a part and then the rest go back without any notification, and who asked is stored and logged', async () => {
  const { merchantUid, svcUid } = await paid();
  const notified = (await world.rows.query('select * from notifications')).length;
  const part = await cancel(svcUid, { ...PART, reason: 'one of three', by: 'support tool, kim' });
  expect([part.status, part.body.outcome]).toEqual([200, 'cancelled']);
  expect(part.body.payment).toMatchObject({ cancel_amount: 300, cancel_reason: 'one of three' });
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');

  const rest = await cancel(svcUid);
  expect(rest.body.payment).toMatchObject({ status: 'cancelled', cancel_amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  const first = { amount: '300', cancelled_before: '0', cancel_reason: 'one of three' };
  expect(await refundsOf(world, svcUid)).toMatchObject([
    { ...first, status: 'refunded', requested_by: 'support tool, kim' },
    { amount: '700', cancelled_before: '300', status: 'refunded', requested_by: null },
  ]);
  expect(await world.rows.query('select * from notifications')).toHaveLength(notified);
  const source = '127.0.0.1';
  expect(await world.log.requests({ svc_uid: svcUid, outcome: 'refunded' }, 2)).toMatchObject([
    { by: 'support tool, kim', source },
    { by: null, source },
  ]);
  expect(await codeOf(cancel(svcUid))).toEqual([409, 'nothing_to_cancel']);
});

test('a double click cancels once, and a repeated request finds another balance than its checksum', async () => {
  const { svcUid, cancelledAmount } = await paid();
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const answers = await Promise.all([1, 2, 3].map(() => cancel(svcUid, PART)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await codeOf(cancel(svcUid, PART))).toEqual([409, 'balance_differs']);
  });
  expect(calls).toBe(1);
  expect(await cancelledAmount()).toBe(300);
});

test('a lost answer is 202, nothing more is cancelled meanwhile, and the payment shows what happened', async () => {
  const { svcUid, cancelledAmount } = await paid();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const lost = await cancel(svcUid, PART);
  expect([lost.status, lost.body.outcome, lost.body.payment.cancel_amount]).toEqual([202, 'unknown', 0]);
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect(await codeOf(cancel(svcUid))).toEqual([409, 'refund_pending']);
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await cancelledAmount()).toBe(300);
  expect((await cancel(svcUid)).status).toBe(200);
});

test('a database that goes away during the call makes no error of a refund: 202, and it goes back once', async () => {
  const { svcUid, cancelledAmount } = await paid();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'delay', delay_ms: 1000, times: 1 });
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const before = await world.sandbox.requests(CANCEL_PAYMENT);
    const answer = cancel(svcUid);
    await eventually(async () => (await world.sandbox.requests(CANCEL_PAYMENT)) > before);
    await world.withoutDatabase(async () => {
      const { status, body } = await answer;
      expect([status, body.outcome, body.payment.cancel_amount]).toEqual([202, 'unknown', 0]);
    });
    await world.runEveryMinute(61);
    expect(await codeOf(cancel(svcUid))).toEqual([409, 'nothing_to_cancel']);
  });
  expect(calls).toBe(1);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await cancelledAmount()).toBe(1000);
});

test('a refund that a process left behind is looked for by the next one, and given up after enough looks', async () => {
  const { svcUid } = await paid();
  // As after kill -9 between the row and the call: the row is there, and no job.
  await world.rows.query(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
     values ($1, 1000, 0, 'crash', 'pending', $2)`,
    [svcUid, world.clock.now()],
  );
  await world.restartMerchant();
  for (const seconds of [30, 60, 60, 61, 301]) await world.runEveryMinute(seconds);
  expect(await codeOf(cancel(svcUid))).toEqual([409, 'refund_pending']);
  await world.runEveryMinute(901);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'not_executed' }]);
  expect((await cancel(svcUid)).status).toBe(200);
});

test('books that are behind the service cancel nothing, and are in step afterwards', async () => {
  const { svcUid, cancelledAmount } = await paid();
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 200 }));
  const { status, body } = await cancel(svcUid, { amount: 900, checksum: 1000 });
  expect([status, body.error.code]).toEqual([400, 'refund_refused']);
  expect(body.error.message).toContain('balance is 800');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refused' }]);
  expect(await cancelledAmount()).toBe(200);
});

test('a service that does not take requests cancels nothing: 503, and it can be tried at once', async () => {
  const { svcUid } = await paid();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 429 });
  expect(await codeOf(cancel(svcUid))).toEqual([503, 'service_unavailable']);
  expect((await cancel(svcUid)).status).toBe(200);
});

test.each([
  ['more than was paid', { amount: 1001, checksum: 1000 }, 409, 'amount_exceeds_balance'],
  ['with another balance in mind', { checksum: 500 }, 409, 'balance_differs'],
  ['a part without the balance in mind', { amount: 300 }, 400, 'invalid_request'],
])('cancelling %s is refused, and nothing is sent', async (_, fields, status, code) => {
  const { svcUid } = await paid();
  expect(await expectNoEffect(world, () => codeOf(cancel(svcUid, fields)))).toEqual([status, code]);
});

test('a payment that is unknown, or failed, has nothing to cancel', async () => {
  expect(await codeOf(cancel('svc_none'))).toEqual([404, 'payment_not_found']);
  expect((await cancel('a%2Fb')).status).toBe(404);
  const merchant_uid = await registerOrder(world);
  const failed = await world.sandbox.pay({ merchant_uid, amount: 1000, outcome: 'failed' });
  await world.notify({ svc_uid: failed.svc_uid, merchant_uid, status: 'failed' });
  expect(await codeOf(cancel(failed.svc_uid))).toEqual([409, 'nothing_to_cancel']);
});
