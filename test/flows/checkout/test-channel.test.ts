// In production the return page accepts no payment of a test channel: test/flows/payments/test-channel.test.ts has the other paths.

import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import { findReturn } from '../../../src/merchant/options/checkout/find-return';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

test('the return page of a test payment shows no state, and nothing is stored', async () => {
  await running.sandbox.settings({ test_channel: true });
  const merchantUid = 'test-return';
  const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  await registerOrder(running.context, order);
  const { svc_uid: svcUid } = await running.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const production = {
    ...running.context,
    config: { ...running.context.config, production: true },
    state: new Map(),
  };
  const network = '203.0.113.7';
  expect((await findReturn(production, { svcUid, merchantUid, network })).state).toBe('not_known_yet');
  expect(await running.rows.query('select from payments where svc_uid = $1', [svcUid])).toEqual([]);
  expect(await running.rows.query('select version from orders')).toEqual([{ version: 0 }]);
});
