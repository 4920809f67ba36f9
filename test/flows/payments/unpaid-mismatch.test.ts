// Anybody can begin a payment over one won for an order. While nothing is paid nobody is told, and nothing is stored; once it
// is paid it is an amount_mismatch.

import { reconcile } from '../../../src/merchant/reconciliation/reconcile';
import { callService } from '../../support/call-service';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY, FETCH_PAYMENT } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import {
  charge,
  chargesOf,
  discrepanciesOf,
  expectRefused,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { openReturnPage, returnPath, returnState } from '../../support/return-page';
import { putCard } from '../../support/subscriptions';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const context = useContext(world);

test('an account over one won changes nothing, and nobody is told; its deposit is refused as an amount_mismatch', async () => {
  const pay = async () => {
    const merchantUid = await registerOrder(world);
    const payment = await paySilently(world, merchantUid, { amount: 1, outcome: 'virtual_account' });
    return { merchantUid, svcUid: payment.svc_uid };
  };
  const told = await pay();
  const untold = await pay();
  const before = await world.rows.money();
  const unchanged = { status: 200, outcome: 'unchanged' };
  expect(await sendNotification(world, told.svcUid, told.merchantUid, 'ready')).toEqual(unchanged);
  const page = await openReturnPage(world, returnPath(told.merchantUid, told.svcUid));
  expect([returnState(page), page.html.includes('account-number')]).toEqual(['checking', false]);
  await reconcile(context, { lookBack: true });
  const fetches = await world.sandbox.requestsDuring(FETCH_PAYMENT, () =>
    reconcile(context, { lookBack: true }),
  );
  expect(fetches).toBe(0);
  expect(await world.rows.query('select from discrepancies')).toEqual([]);
  expect(await world.rows.money()).toBe(before);

  for (const { svcUid } of [told, untold])
    await world.withoutNotifications(() => world.sandbox.control(svcUid, 'deposit'));
  await expectRefused(world, told.svcUid, told.merchantUid, 'amount_mismatch');
  await reconcile(context);
  for (const { merchantUid } of [told, untold])
    expect(await discrepanciesOf(world, merchantUid)).toMatchObject([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: '1 KRW' },
    ]);
  expect(await world.rows.money()).toBe(before);
});

test('a charge whose payment failed over another amount is declined: the order can be charged again', async () => {
  const key = await registerKey(world);
  await putCard(world, key, CARD_THAT_FAILS);
  const merchantUid = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(() => charge(world, merchantUid, key.customerUid));
  const { list } = await callService(world, `/subscribe/customers/${key.customerUid}/payments`);
  await world.sandbox.call('POST', `/payments/${list[0].abc_uid}/tamper`, { amount: 1 });
  await world.advance(6);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'failed' }]);
  expect(await discrepanciesOf(world, merchantUid)).toEqual([]);
  await putCard(world, key);
  expect((await charge(world, merchantUid, key.customerUid)).status).toBe(200);
});
