// A payment of a test channel moves no money. In production it pays for no order, whatever the service shows.

import { registerOrder } from '../../../src/merchant/orders/register-order';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { useRunningContext } from '../../support/context';

const running = useRunningContext();
beforeAll(async () => {
  await running.sandbox.settings({ test_channel: true });
});

async function payByTestChannel(merchantUid: string) {
  const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  await registerOrder(running.context, order);
  const { svc_uid: svcUid } = await running.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  return { svcUid, merchantUid };
}

const orderOf = (merchantUid: string) =>
  running.rows.query('select status, version from orders where merchant_uid = $1', [merchantUid]);

test('a payment of a test channel pays for no order in production', async () => {
  const claim = await payByTestChannel('test-in-production');
  // This service shows test payments although nobody asks for them: the judgement has to refuse them by itself.
  const { context } = running;
  const production = { ...context, config: { ...context.config, production: true } };
  const before = await orderOf(claim.merchantUid);
  expect(await syncPayment(production, claim)).toMatchObject({ outcome: 'order_mismatch' });
  expect(await orderOf(claim.merchantUid)).toEqual(before);
  expect(await running.rows.query('select svc_uid from payments')).toEqual([]);
  expect(await running.rows.query('select kind, actual from discrepancies')).toEqual([
    { kind: 'order_mismatch', actual: 'a payment of a test channel' },
  ]);
});

test('a payment of a test channel pays for its order elsewhere', async () => {
  const claim = await payByTestChannel('test-elsewhere');
  expect(await syncPayment(running.context, claim)).toMatchObject({ outcome: 'recorded' });
  expect(await orderOf(claim.merchantUid)).toMatchObject([{ status: 'paid' }]);
});
