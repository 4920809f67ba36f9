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
  getOrder,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { openReturnPage, returnPath, returnState } from '../../support/return-page';
import { putCard } from '../../support/subscriptions';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const context = useContext(world);

test.each(['virtual_account', 'failed'])(
  '%s over one won changes nothing, and nobody is told',
  async (outcome) => {
    const merchantUid = await registerOrder(world);
    const { svc_uid } = await paySilently(world, merchantUid, { amount: 1, outcome });
    const before = await world.rows.money();
    expect(await sendNotification(world, svc_uid, merchantUid, 'ready')).toEqual({
      status: 200,
      outcome: 'unchanged',
    });
    const page = await openReturnPage(world, returnPath(merchantUid, svc_uid));
    expect([returnState(page), page.html.includes('account-number')]).toEqual(['checking', false]);
    const asked = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
      const report = await reconcile(context, { lookBack: true });
      expect(report?.lists.ready.unresolved).toEqual({});
    });
    expect(asked).toBe(0);
    expect(await world.rows.money()).toBe(before);
    expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
    expect(await discrepanciesOf(world, merchantUid)).toEqual([]);
  },
);

test('its deposit is refused as an amount_mismatch, also where only reconciliation finds it', async () => {
  for (const isTold of [true, false]) {
    const merchantUid = await registerOrder(world);
    const account = { amount: 1, outcome: 'virtual_account' };
    const { svc_uid } = await paySilently(world, merchantUid, account);
    await sendNotification(world, svc_uid, merchantUid, 'ready');
    await world.withoutNotifications(() => world.sandbox.control(svc_uid, 'deposit'));
    if (isTold) await expectRefused(world, svc_uid, merchantUid, 'amount_mismatch');
    else await reconcile(context);
    expect(await discrepanciesOf(world, merchantUid)).toMatchObject([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: '1 KRW' },
    ]);
    expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
  }
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
