// A checkout syncs a payment (POST /api/payments/{svc_uid}/sync): the same sync as for a notification, with the same outcomes, but
// without retries.

import { discrepanciesOf, paySilently, registerOrder } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => world.sandbox.clearFaults());

const syncFor = (svcUid: string, merchantUid: string, more: Record<string, unknown> = {}) =>
  world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid, ...more });

/** An order, and its payment without a notification. */
async function paid(fields: Record<string, unknown> = {}) {
  const uid = await registerOrder(world);
  return { uid, svcUid: (await paySilently(world, uid, fields)).svc_uid };
}

test('a sync without an answer of the service is queued with its reason, and is not retried automatically', async () => {
  const { uid, svcUid } = await paid();
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
  const before = await world.rows.books();
  const body = { outcome: 'queued', reason: 'server_error', payment: null, order: 'open' };
  expect(await syncFor(svcUid, uid)).toEqual({ status: 200, body });
  // No job, no notification, no discrepancy: the caller tries again.
  expect(await world.rows.books()).toBe(before);
  const { payment } = (await syncFor(svcUid, uid)).body;
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'reset' });
  expect((await syncFor(svcUid, uid)).body).toMatchObject({ outcome: 'queued', payment, order: 'paid' });
});

test('a payment without a notification is recorded, and a second sync changes no row', async () => {
  const { uid, svcUid } = await paid();
  const answer = await syncFor(svcUid, uid);
  const payment = (await world.api('GET', `/api/payments/${svcUid}`)).body;
  expect(payment).toMatchObject({ svc_uid: svcUid, merchant_uid: uid, amount: 1000, status: 'paid' });
  const stored = { payment, order: 'paid' };
  expect(answer).toEqual({ status: 200, body: { outcome: 'recorded', ...stored } });
  await world.log.requests({ svc_uid: svcUid, merchant_uid: uid, outcome: 'recorded' });
  const before = await world.rows.books();
  expect(await syncFor(svcUid, uid)).toEqual({ status: 200, body: { outcome: 'unchanged', ...stored } });
  expect(await world.rows.books()).toBe(before);
});

test('a payment that does not match is a 400 and a discrepancy, and the order does not change', async () => {
  const { uid, svcUid } = await paid({ amount: 999 });
  const body = { outcome: 'amount_mismatch', payment: null, order: 'open' };
  expect(await syncFor(svcUid, uid)).toEqual({ status: 400, body });
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'amount_mismatch' }]);
});
