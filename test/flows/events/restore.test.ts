// The database is restored from a backup, while shop and service have later data. After `npm run tool -- restored`, new registrations of the
// orders and a reconciliation, the shop has the true state, and no money moves twice.

import { moveNumbersOn } from '../../../src/merchant/core/events/restore-store';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { charge, getOrder, registerOrder } from '../../support/orders';
import { HOUR, pass, paymentsWith, useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';
import { besideMerchant, useBackup } from './backups';

const world = useWorld();
const key = useOneKey(world);
const backup = useBackup(world);

type Told = { position: string; id: string; type: string; data: Record<string, any> };

/** A shop that asks: it keeps the last place, and every id that it has seen under a unique index. */
function pollingShop() {
  const seen = new Map<string, Told>();
  let after = '0';
  return {
    seen,
    /** Returns what is new to it. */
    async poll(): Promise<Told[]> {
      const { body } = await world.api('GET', `/api/events?limit=1000&after=${after}`);
      const list = body.list as Told[];
      after = list.at(-1)?.position ?? after;
      const fresh = list.filter(({ id }) => !seen.has(id));
      for (const event of fresh) seen.set(event.id, event);
      return fresh;
    },
    /** What it was told of an order, in the order of the events; by the last one it knows the order. */
    toldOf: (merchantUid: string) =>
      [...seen.values()].filter(({ id }) => id.startsWith(`${merchantUid}:`)).map(({ data }) => data),
  };
}

const refundIdsIn = (events: Iterable<Told>) =>
  [...events].map(({ data }) => data['refund']?.refund_id).filter(Boolean);
const pay = (merchantUid: string) => world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
const refund = (svcUid: string, amount: number, checksum: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { amount, checksum, reason: 'broken' });

test('after a restore the shop gets every event since the backup, with new positions and ids', async () => {
  await registerOrder(world, 'before');
  const before = await pay('before');
  const shop = pollingShop();
  await shop.poll();
  await backup.take();

  await registerOrder(world, 'after-1');
  const first = await pay('after-1');
  await refund(first.svc_uid, 300, 1000);
  await refund(before.svc_uid, 100, 1000);
  await pass(world, HOUR);
  await shop.poll();
  const stages = [{ status: 'paid' }, { status: 'partially_cancelled' }];
  for (const merchantUid of ['after-1', 'before']) expect(shop.toldOf(merchantUid)).toMatchObject(stages);
  const refundIds = refundIdsIn(shop.seen.values());
  expect(refundIds).toHaveLength(2);
  const told = new Set(shop.seen.keys());

  await backup.restore();
  await registerOrder(world, 'after-1');
  await besideMerchant(world, (context) => reconcile(context, { ninetyDays: true }));
  expect((await refund(first.svc_uid, 700, 700)).body.outcome).toBe('cancelled');
  await pass(world, 0);

  const fresh = await shop.poll();
  expect(fresh.filter(({ id }) => told.has(id))).toEqual([]);
  expect(fresh.filter(({ data }) => data['merchant_uid'] === 'after-1')).toMatchObject([
    { type: 'order.partially_cancelled', data: { refund: { amount: 300, total: 300, refund_id: null } } },
    { type: 'order.cancelled', data: { refund: { amount: 700, total: 1000 } } },
  ]);
  expect(refundIds).not.toContain(refundIdsIn(fresh)[0]);
  for (const merchantUid of ['before', 'after-1']) {
    const { status } = await getOrder(world, merchantUid);
    expect(shop.toldOf(merchantUid).at(-1)).toMatchObject({ status });
  }
  // Of one order the versions grow, across the restore as well.
  const toldBefore = shop.toldOf('before');
  expect(toldBefore.at(-1)).toMatchObject({ status: 'partially_cancelled', refunded_amount: 100 });
  const versions = toldBefore.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((one, two) => one - two));
});

test('the same backup restored twice, and the command run twice, use no number again', async () => {
  await backup.take();
  const shop = pollingShop();
  await registerOrder(world, 'restored-twice');
  const { svc_uid: svcUid } = await pay('restored-twice');
  await shop.poll();
  for (const refunded of [100, 200]) {
    world.clock.advance(60);
    await backup.restore();
    await besideMerchant(world, moveNumbersOn);
    await registerOrder(world, 'restored-twice');
    await world.sandbox.control(svcUid, 'cancel', { amount: 100 });
    expect(await shop.poll()).toMatchObject([{ data: { refunded_amount: refunded } }]);
  }
  expect(shop.toldOf('restored-twice')).toHaveLength(3);
});

test('no order that was paid since the backup is charged again', async () => {
  await backup.take();
  await registerOrder(world, 'after-4', { member_id: key.memberId });
  expect((await charge(world, 'after-4', key.customerUid)).status).toBe(200);
  await backup.restore();
  await registerOrder(world, 'after-4', { member_id: key.memberId });
  expect((await charge(world, 'after-4', key.customerUid)).body.error?.code).toBe('order_not_payable');
  expect(await getOrder(world, 'after-4')).toMatchObject({ status: 'paid' });
  await pass(world, HOUR);
  expect(await paymentsWith(world, key)).toEqual(['after-4 paid']);
});
