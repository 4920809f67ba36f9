// A checkout asks for a payment by itself (POST /api/payments/{svc_uid}/sync): the same sync as for a notification, with the
// same outcomes, and no retry.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
import { discrepanciesOf, paySilently, registerOrder } from '../../support/orders';
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

test('a payment of which no notification has come is recorded, and asked again it is unchanged, with no row touched', async () => {
  const { uid, svcUid } = await paid();
  const answer = await syncFor(svcUid, uid);
  const stored = (await world.api('GET', `/api/payments/${svcUid}`)).body;
  expect(stored).toMatchObject({ svc_uid: svcUid, merchant_uid: uid, amount: 1000, status: 'paid' });
  expect(answer).toEqual({ status: 200, body: { outcome: 'recorded', payment: stored, order: 'paid' } });
  await world.log.requests({ svc_uid: svcUid, merchant_uid: uid, outcome: 'recorded' });

  const before = await world.rows.books();
  const calls = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    const again = { outcome: 'unchanged', payment: stored, order: 'paid' };
    expect(await syncFor(svcUid, uid)).toEqual({ status: 200, body: again });
  });
  expect(calls).toBe(1);
  expect(await world.rows.books()).toBe(before);

  // What was stored before is told while the service is down.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'reset' });
  expect((await syncFor(svcUid, uid)).body).toMatchObject({
    outcome: 'queued',
    payment: stored,
    order: 'paid',
  });
});

test('a service that cannot be asked is queued, with the reason; nothing is tried again by itself', async () => {
  const { uid, svcUid } = await paid();
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
  const before = await world.rows.books();
  const body = { outcome: 'queued', reason: 'server_error', payment: null, order: 'open' };
  expect(await syncFor(svcUid, uid)).toEqual({ status: 200, body });
  // No job, no notification, no discrepancy: whoever asked asks again.
  expect(await world.rows.books()).toBe(before);
  expect((await syncFor(svcUid, uid)).body).toMatchObject({ outcome: 'recorded', order: 'paid' });
});

test('what is checked and false is 400 and a discrepancy, and orders and payments are as before', async () => {
  const { uid, svcUid } = await paid({ amount: 999 });
  const before = await world.rows.money();
  const body = { outcome: 'amount_mismatch', payment: null, order: 'open' };
  expect(await syncFor(svcUid, uid)).toEqual({ status: 400, body });
  expect(await world.rows.money()).toBe(before);
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'amount_mismatch' }]);
  const unknown = { outcome: 'unknown_order', payment: null, order: null };
  const { svc_uid } = await paySilently(world, 'stranger');
  expect(await syncFor(svc_uid, 'stranger')).toEqual({ status: 400, body: unknown });
});

test.each<[string, string, unknown, string]>([
  ['an order that is none', 'svc_1', { merchant_uid: '..' }, 'merchant_uid'],
  ['a further field', 'svc_1', { merchant_uid: 'order-1', status: 'paid' }, 'status'],
  ['a payment that is none', 'svc.1', { merchant_uid: 'order-1' }, 'svc_uid'],
])('%s is refused by name, and the service is not asked', async (_, svcUid, body, field) => {
  const answer = await expectNoEffect(world, () => sync(svcUid, body));
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error.message).toContain(field);
});
