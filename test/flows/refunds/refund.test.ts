// Money is given back in full and in part, once, and never more than was taken.

import { eventually } from '../../support/eventually';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const CANCEL_PAYMENT = 'POST /payments/cancel';

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});

const paid = async (merchantUid: string): Promise<string> => {
  await registerOrder(world, merchantUid);
  const { body } = await charge(world, merchantUid, key.customerUid);
  await world.sandbox.waitForNotifications();
  return body.order.payments[0].svc_uid as string;
};
const cancel = (svcUid: string, body: unknown = { reason: 'changed my mind' }) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, body);
const refundsOf = (svcUid: string) =>
  world.rows.query('select * from refunds where svc_uid = $1 order by id', [svcUid]);

test('a cancellation in part and then of the rest is followed without any notification', async () => {
  const svcUid = await paid('cancel-parts');
  const notified = (await world.rows.query('select * from notifications')).length;
  const part = await cancel(svcUid, { amount: 300, reason: 'one of three', checksum: 1000 });
  expect([part.status, part.body.outcome]).toEqual([200, 'cancelled']);
  expect(part.body.payment).toMatchObject({ cancel_amount: 300, cancel_reason: 'one of three' });
  expect(await orderStatus(world, 'cancel-parts')).toBe('partially_cancelled');

  const rest = await cancel(svcUid);
  expect(rest.body.payment).toMatchObject({ status: 'cancelled', cancel_amount: 1000 });
  expect(await orderStatus(world, 'cancel-parts')).toBe('cancelled');
  expect(await refundsOf(svcUid)).toMatchObject([
    { amount: '300', cancelled_before: '0', status: 'refunded', cancel_reason: 'one of three' },
    { amount: '700', cancelled_before: '300', status: 'refunded' },
  ]);
  expect(await world.rows.query('select * from notifications')).toHaveLength(notified);
});

test('who asks for a refund is stored with it, and logged with the address of the caller', async () => {
  const svcUid = await paid('cancel-by');
  const part = { amount: 300, reason: 'one of three', checksum: 1000 };
  expect((await cancel(svcUid, { ...part, by: 'ki\u202em' })).status).toBe(400);
  expect((await cancel(svcUid, { ...part, by: 'support tool, kim' })).status).toBe(200);
  expect((await cancel(svcUid)).status).toBe(200);
  expect(await refundsOf(svcUid)).toMatchObject([
    { amount: '300', requested_by: 'support tool, kim' },
    { amount: '700', requested_by: null },
  ]);
  const source = '127.0.0.1';
  expect(await world.log.requests({ svc_uid: svcUid, outcome: 'refunded' }, 2)).toMatchObject([
    { by: 'support tool, kim', source },
    { by: null, source },
  ]);
});

test('a double click cancels once', async () => {
  const svcUid = await paid('cancel-twice');
  const body = { amount: 300, reason: 'one of three', checksum: 1000 };
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const answers = await Promise.all([1, 2, 3].map(() => cancel(svcUid, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
  expect(calls).toBe(1);
  expect((await getOrder(world, 'cancel-twice')).payments).toMatchObject([{ cancel_amount: 300 }]);
});

test('a repeated request with its checksum finds another balance and sends nothing', async () => {
  const svcUid = await paid('cancel-checksum');
  const body = { amount: 300, reason: 'one of three', checksum: 1000 };
  expect((await cancel(svcUid, body)).status).toBe(200);
  const again = await expectNoEffect(world, () => cancel(svcUid, body));
  expect([again.status, again.body.error.code]).toEqual([409, 'balance_differs']);
});

test('a lost answer is 202, nothing more is cancelled meanwhile, and the payment shows what happened', async () => {
  const svcUid = await paid('cancel-lost');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const lost = await cancel(svcUid, { amount: 400, reason: 'broken', checksum: 1000 });
  expect([lost.status, lost.body.outcome, lost.body.payment.cancel_amount]).toEqual([202, 'unknown', 0]);
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect((await cancel(svcUid)).body.error.code).toBe('refund_pending');
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect((await getOrder(world, 'cancel-lost')).payments).toMatchObject([{ cancel_amount: 400 }]);
  expect((await cancel(svcUid)).status).toBe(200);
});

test('a database that goes away during the call makes no error of a refund: 202, and it goes back once', async () => {
  const svcUid = await paid('cancel-gone');
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
    expect((await cancel(svcUid)).body.error.code).toBe('nothing_to_cancel');
  });
  expect(calls).toBe(1);
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect((await getOrder(world, 'cancel-gone')).payments).toMatchObject([{ cancel_amount: 1000 }]);
}, 30_000);

test('a card number that was typed into a reason is kept and sent masked', async () => {
  const svcUid = await paid('cancel-typed');
  const { body } = await cancel(svcUid, { reason: 'paid with 4242-4242-4242-4242 by mistake' });
  const masked = 'paid with 424242******4242 by mistake';
  expect(await refundsOf(svcUid)).toMatchObject([{ cancel_reason: masked }]);
  expect(body.payment.cancel_reason).toBe(masked);
  expect(await world.rows.dump()).not.toContain('4242-4242-4242');
});

test('a cancellation that never reached the service is given up after enough looks', async () => {
  const svcUid = await paid('cancel-reset');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'reset' });
  expect((await cancel(svcUid)).status).toBe(202);
  for (const seconds of [6, 16, 61, 301]) await world.advance(seconds);
  expect((await cancel(svcUid)).body.error.code).toBe('refund_pending');
  await world.advance(901);
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'not_executed' }]);
  expect((await cancel(svcUid)).status).toBe(200);
});

test('what a process left behind is found by the next one', async () => {
  const svcUid = await paid('cancel-crash');
  // As after kill -9 between the service's answer and our note of it.
  await world.rows.query(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
     values ($1, 1000, 0, 'crash', 'pending', $2)`,
    [svcUid, world.clock.now()],
  );
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  await world.restartMerchant();
  await world.runEveryMinute(61);
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await orderStatus(world, 'cancel-crash')).toBe('cancelled');
});

test('where somebody cancels another amount at the same time a person has to look', async () => {
  const svcUid = await paid('cancel-both');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'reset' });
  await cancel(svcUid, { amount: 300, reason: 'lost on the way', checksum: 1000 });
  await world.sandbox.control(svcUid, 'cancel', { amount: 200 });
  await world.advance(6);
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'needs_review' }]);
  expect((await cancel(svcUid)).body.error.code).toBe('refund_needs_review');
  expect((await getOrder(world, 'cancel-both')).payments).toMatchObject([{ cancel_amount: 200 }]);
});

test('books that are behind the service cancel nothing, and are in step afterwards', async () => {
  const svcUid = await paid('cancel-behind');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 200 }));
  const { status, body } = await cancel(svcUid, { amount: 900, reason: 'too much by now', checksum: 1000 });
  expect([status, body.error.code]).toEqual([400, 'refund_refused']);
  expect(body.error.message).toContain('balance is 800');
  expect(await refundsOf(svcUid)).toMatchObject([{ status: 'refused' }]);
  expect((await getOrder(world, 'cancel-behind')).payments).toMatchObject([{ cancel_amount: 200 }]);
});

test('a service that does not take requests cancels nothing: 503, and it can be tried at once', async () => {
  const svcUid = await paid('cancel-429');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 429 });
  const { status, body } = await cancel(svcUid);
  expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
  expect((await cancel(svcUid)).status).toBe(200);
});

test.each([
  ['more than was paid', { amount: 1001, reason: 'x', checksum: 1000 }, 409, 'amount_exceeds_balance'],
  ['a part without the balance in mind', { amount: 300, reason: 'x' }, 400, 'invalid_request'],
  ['nothing', { amount: 0, reason: 'x', checksum: 1000 }, 400, 'invalid_request'],
  ['less than nothing', { amount: -1, reason: 'x', checksum: 1000 }, 400, 'invalid_request'],
  ['half a won', { amount: 0.5, reason: 'x', checksum: 1000 }, 400, 'invalid_request'],
  ['an amount as text', { amount: '300', reason: 'x', checksum: 1000 }, 400, 'invalid_request'],
  ['without a reason', { amount: 300, checksum: 1000 }, 400, 'invalid_request'],
  ['with a reason of 257 characters', { reason: 'x'.repeat(257) }, 400, 'invalid_request'],
  ['with another balance in mind', { reason: 'x', checksum: 500 }, 409, 'balance_differs'],
])('cancelling %s is refused, and nothing is sent', async (name, body, status, code) => {
  const svcUid = await paid(`cancel-bad-${name.replace(/\W/g, '')}`.slice(0, 40));
  const answer = await expectNoEffect(world, () => cancel(svcUid, body));
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(await refundsOf(svcUid)).toEqual([]);
});

test('a payment that is unknown, failed or fully cancelled has nothing to cancel', async () => {
  expect((await cancel('svc_none')).body.error.code).toBe('payment_not_found');
  expect((await cancel('a%2Fb')).status).toBe(404);
  const svcUid = await paid('cancel-done');
  await cancel(svcUid);
  const again = await cancel(svcUid);
  expect([again.status, again.body.error.code]).toEqual([409, 'nothing_to_cancel']);
});
