// A checkout asks for a payment by itself (POST /api/payments/{svc_uid}/sync): the same sync as for a notification, with the
// same outcomes, and no retry.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
import { discrepanciesOf, newUid, orderStatus, paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => world.sandbox.clearFaults());

const sync = (svcUid: string, body: unknown) => world.api('POST', `/api/payments/${svcUid}/sync`, body);
const syncFor = (svcUid: string, merchantUid: string) => sync(svcUid, { merchant_uid: merchantUid });

/** An order, and a payment of it of which nobody was told. */
async function paid(fields: Record<string, unknown> = {}) {
  const uid = await registerOrder(world);
  return { uid, svcUid: (await paySilently(world, uid, fields)).svc_uid };
}

test('a payment of which no notification has come is recorded, and its order is paid', async () => {
  const { uid, svcUid } = await paid();
  const answer = await syncFor(svcUid, uid);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    outcome: 'recorded',
    payment: (await world.api('GET', `/api/payments/${svcUid}`)).body,
    order: 'paid',
  });
  expect(answer.body.payment).toMatchObject({
    svc_uid: svcUid,
    merchant_uid: uid,
    amount: 1000,
    status: 'paid',
  });
  expect(await orderStatus(world, uid)).toBe('paid');
  await world.log.requests({ svc_uid: svcUid, merchant_uid: uid, outcome: 'recorded' });
});

test('asked again it is unchanged: one more call, and no row is touched', async () => {
  const { uid, svcUid } = await paid();
  await syncFor(svcUid, uid);
  const before = await world.rows.books();
  let again: Awaited<ReturnType<typeof sync>> | undefined;
  const calls = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    again = await syncFor(svcUid, uid);
  });
  expect(again).toMatchObject({ status: 200, body: { outcome: 'unchanged', order: 'paid' } });
  expect(calls).toBe(1);
  expect(await world.rows.books()).toBe(before);
});

test('a deposit that is awaited, and a payment that failed, are recorded as what they are', async () => {
  const deposit = await paid({ outcome: 'virtual_account' });
  expect((await syncFor(deposit.svcUid, deposit.uid)).body).toMatchObject({
    outcome: 'recorded',
    order: 'awaiting_deposit',
    payment: { status: 'ready' },
  });
  const failed = await paid({ outcome: 'failed' });
  expect((await syncFor(failed.svcUid, failed.uid)).body).toMatchObject({
    outcome: 'recorded',
    order: 'failed',
    payment: { status: 'failed' },
  });
});

test.each([
  ['a 503', { kind: 'status', status: 503 }, 'server_error'],
  ['a broken line', { kind: 'reset' }, 'no_answer'],
  ['nonsense', { kind: 'html' }, 'bad_answer'],
])(
  '%s of the service is queued, with the reason; nothing is tried again by itself',
  async (_, fault, reason) => {
    const { uid, svcUid } = await paid();
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, ...fault });
    const before = await world.rows.books();
    expect(await syncFor(svcUid, uid)).toEqual({
      status: 200,
      body: { outcome: 'queued', reason, payment: null, order: 'open' },
    });
    // No job, no notification, no discrepancy: whoever asked asks again.
    expect(await world.rows.books()).toBe(before);
    expect((await syncFor(svcUid, uid)).body).toMatchObject({ outcome: 'recorded', order: 'paid' });
  },
);

test('what was stored before is told while the service is down', async () => {
  const { uid, svcUid } = await paid();
  await syncFor(svcUid, uid);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'reset' });
  expect((await syncFor(svcUid, uid)).body).toMatchObject({
    outcome: 'queued',
    payment: { status: 'paid' },
    order: 'paid',
  });
});

describe('checked and false: 400, a discrepancy, and orders and payments are as before', () => {
  test.each([
    ['one won less than its order', { amount: 999 }, 'amount_mismatch'],
    ['another currency', { currency: 'USD' }, 'currency_mismatch'],
  ])('%s', async (_, fields, outcome) => {
    const { uid, svcUid } = await paid(fields);
    const before = await world.rows.money();
    const answer = await syncFor(svcUid, uid);
    expect(answer).toEqual({ status: 400, body: { outcome, payment: null, order: 'open' } });
    expect(await world.rows.money()).toBe(before);
    expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: outcome }]);
  });

  test('the payment of another order', async () => {
    const one = await paid();
    await syncFor(one.svcUid, one.uid);
    const other = await registerOrder(world);
    const before = await world.rows.money();
    expect(await syncFor(one.svcUid, other)).toEqual({
      status: 400,
      body: { outcome: 'order_mismatch', payment: null, order: 'open' },
    });
    expect(await world.rows.money()).toBe(before);
  });

  test('an order that nobody registered, and a payment that the service does not know', async () => {
    const stranger = newUid();
    const { svc_uid } = await paySilently(world, stranger);
    expect(await syncFor(svc_uid, stranger)).toEqual({
      status: 400,
      body: { outcome: 'unknown_order', payment: null, order: null },
    });
    const uid = await registerOrder(world);
    expect(await syncFor('svc_none', uid)).toEqual({
      status: 400,
      body: { outcome: 'unknown_payment', payment: null, order: 'open' },
    });
  });
});

test.each<[string, string, unknown, string]>([
  ['no order', 'svc_1', {}, 'merchant_uid'],
  ['an order that is none', 'svc_1', { merchant_uid: '..' }, 'merchant_uid'],
  ['a further field', 'svc_1', { merchant_uid: 'order-1', status: 'paid' }, 'status'],
  ['a payment that is none', 'svc.1', { merchant_uid: 'order-1' }, 'svc_uid'],
])('%s is refused by name, and the service is not asked', async (_, svcUid, body, field) => {
  const answer = await expectNoEffect(world, () => sync(svcUid, body));
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error.message).toContain(field);
});

test('without a database nothing is claimed: 503', async () => {
  const { uid, svcUid } = await paid();
  const answer = await world.withoutDatabase(() => syncFor(svcUid, uid));
  expect([answer.status, answer.body.error.code]).toEqual([503, 'database_unavailable']);
});
