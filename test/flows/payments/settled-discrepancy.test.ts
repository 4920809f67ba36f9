// A payment that fits settles the discrepancies that were found before it. The sync itself does so, for every caller.

import { registerOrder } from '../../../src/merchant/orders/register-order';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { useRunningContext } from '../../support/context';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { paySilently } from '../../support/orders';

const running = useRunningContext();

const order = (merchantUid: string) => ({
  merchantUid,
  name: 'Tea',
  amount: 1000,
  currency: 'KRW',
  memberId: null,
});
const notFoundOnce = () => running.sandbox.fault({ endpoint: FETCH_PAYMENT, status: 404, times: 1 });
const discrepancies = (merchantUid: string) =>
  running.rows.query<{ kind: string; settled: boolean }>(
    'select kind, resolved_at is not null as settled from discrepancies where merchant_uid = $1 order by id',
    [merchantUid],
  );

test('M20 an unknown payment that fits later is settled by the statement that records it', async () => {
  const { context } = running;
  await registerOrder(context, order('settled-1'));
  const { svc_uid: svcUid } = await paySilently(running, 'settled-1');
  const claim = { svcUid, merchantUid: 'settled-1' };
  await notFoundOnce();
  expect((await syncPayment(context, claim)).outcome).toBe('unknown_payment');
  expect(await discrepancies('settled-1')).toEqual([{ kind: 'unknown_payment', settled: false }]);
  expect((await syncPayment(context, claim)).outcome).toBe('recorded');
  expect(await discrepancies('settled-1')).toEqual([{ kind: 'unknown_payment', settled: true }]);
});

test('M20 a stored payment that was not found for a moment is settled although nothing about it has changed', async () => {
  const { context } = running;
  await registerOrder(context, order('settled-2'));
  const { svc_uid: svcUid } = await paySilently(running, 'settled-2');
  const claim = { svcUid, merchantUid: 'settled-2' };
  expect((await syncPayment(context, claim)).outcome).toBe('recorded');
  await notFoundOnce();
  expect((await syncPayment(context, claim)).outcome).toBe('unknown_payment');
  expect((await syncPayment(context, claim)).outcome).toBe('unchanged');
  expect(await discrepancies('settled-2')).toEqual([{ kind: 'unknown_payment', settled: true }]);
});

test('M20 an unknown order is settled once the order is registered and paid', async () => {
  const { context } = running;
  const { svc_uid: svcUid } = await paySilently(running, 'settled-3');
  const claim = { svcUid, merchantUid: 'settled-3' };
  expect((await syncPayment(context, claim)).outcome).toBe('unknown_order');
  await registerOrder(context, order('settled-3'));
  expect((await syncPayment(context, claim)).outcome).toBe('recorded');
  expect(await discrepancies('settled-3')).toEqual([{ kind: 'unknown_order', settled: true }]);
});
