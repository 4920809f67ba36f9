// Anybody can begin a payment over one won for an order. While nothing is paid nobody is told, and nothing is stored; once it
// is paid it is an amount_mismatch.

import { reconcile } from '../../../src/merchant/reconciliation/reconcile';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { discrepanciesOf, expectRefused, paySilently } from '../../support/orders';
import { registerOrder, sendNotification } from '../../support/orders';
import { openReturnPage, returnPath, returnState } from '../../support/return-page';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const context = useContext(world);

test('an account over one won changes nothing, and nobody is told; its deposit is refused as an amount_mismatch', async () => {
  const merchantUid = await registerOrder(world);
  const oneWon = { amount: 1, outcome: 'virtual_account' };
  const { svc_uid: svcUid } = await paySilently(world, merchantUid, oneWon);
  const before = await world.rows.money();
  const unchanged = { status: 200, outcome: 'unchanged' };
  expect(await sendNotification(world, svcUid, merchantUid, 'ready')).toEqual(unchanged);
  const page = await openReturnPage(world, returnPath(merchantUid, svcUid));
  expect([returnState(page), page.html.includes('account-number')]).toEqual(['checking', false]);
  const lookBack = () => reconcile(context, { lookBack: true });
  await lookBack();
  expect(await world.sandbox.requestsDuring(FETCH_PAYMENT, lookBack)).toBe(0);
  expect(await discrepanciesOf(world, merchantUid)).toEqual([]);
  expect(await world.rows.money()).toBe(before);

  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'deposit'));
  await reconcile(context);
  await expectRefused(world, svcUid, merchantUid, 'amount_mismatch');
  const noted = { kind: 'amount_mismatch', expected: '1000 KRW', actual: '1 KRW', times_seen: 2 };
  expect(await discrepanciesOf(world, merchantUid)).toEqual([noted]);
  expect(await world.rows.money()).toBe(before);
});
