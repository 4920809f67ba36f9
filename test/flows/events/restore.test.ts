// The database goes back to a backup while the shop and the service remember what came after it. After `npm run restored`,
// the orders registered again and a reconciliation, the shop knows what is true, and no money moves twice.

import { moveNumbersOn } from '../../../src/merchant/core/events/restore-store';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { closeContext, type Context } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { charge, getOrder, registerOrder } from '../../support/orders';
import {
  HOUR,
  pass,
  paymentsWith,
  scheduledWith,
  subscribe,
  subscriptionOf,
  useKey,
} from '../../support/subscriptions';
import { useFreshWorld } from '../../support/use-world';
import { backUp, type Backup } from './backups';

const world = useFreshWorld();
const key = useKey(world);
let backup: Backup | undefined;
afterEach(async () => {
  await backup?.drop();
  backup = undefined;
});

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

/** The steps of docs/guides/restore.md. */
async function restore(): Promise<void> {
  await backup?.restore();
  await besideMerchant(moveNumbersOn);
  await world.restartMerchant();
}

async function besideMerchant(work: (context: Context) => Promise<unknown>): Promise<void> {
  const context = openContext(world);
  try {
    await work(context);
  } finally {
    await closeContext(context);
  }
}

const refundIdsIn = (events: Iterable<Told>) =>
  [...events].map(({ data }) => data['refund']?.refund_id).filter(Boolean);
const pay = (merchantUid: string) => world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
const refund = (svcUid: string, amount: number, checksum: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { amount, checksum, reason: 'broken' });

test('after a restore the shop hears of everything that has happened since: nothing that is new comes under a place or an id that it has seen', async () => {
  await registerOrder(world, 'before');
  const before = await pay('before');
  const plan = await subscribe(world, key);
  const shop = pollingShop();
  await shop.poll();
  backup = await backUp(world);

  await registerOrder(world, 'after-1');
  const first = await pay('after-1');
  await refund(first.svc_uid, 300, 1000);
  await refund(before.svc_uid, 100, 1000);
  await pass(world, HOUR);
  await shop.poll();
  expect([...shop.seen.keys()]).toEqual(expect.arrayContaining(['after-1:1', 'after-1:2', 'before:2']));
  const refundIds = refundIdsIn(shop.seen.values());
  expect(refundIds).toHaveLength(2);
  const told = new Set(shop.seen.keys());

  await restore();
  await registerOrder(world, 'after-1');
  await besideMerchant((context) => reconcile(context, { lookBack: true }));
  expect((await refund(first.svc_uid, 700, 700)).body.outcome).toBe('cancelled');
  await pass(world, 0);

  const fresh = await shop.poll();
  expect(fresh.filter(({ id }) => told.has(id))).toEqual([]);
  expect(fresh.filter(({ data }) => data['merchant_uid'] === 'after-1')).toMatchObject([
    { type: 'order.partially_cancelled', data: { refund: { amount: 300, total: 300, refund_id: null } } },
    { type: 'order.cancelled', data: { refund: { amount: 700, total: 1000 } } },
  ]);
  expect(refundIds).not.toContain(refundIdsIn(fresh)[0]);
  for (const merchantUid of ['before', 'after-1', `${plan}-1`]) {
    const { status } = await getOrder(world, merchantUid);
    expect(shop.toldOf(merchantUid).at(-1)).toMatchObject({ status });
  }
  expect(fresh.map(({ type }) => type)).toContain('subscription.renewed');
  // Of one order the versions grow, across the restore as well.
  const toldBefore = shop.toldOf('before');
  expect(toldBefore.at(-1)).toMatchObject({ status: 'partially_cancelled', refunded_amount: 100 });
  const versions = toldBefore.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((one, two) => one - two));
});

test('the same backup restored twice, and the command run twice, use no number again', async () => {
  backup = await backUp(world);
  const shop = pollingShop();
  await registerOrder(world, 'after-1');
  const { svc_uid: svcUid } = await pay('after-1');
  await shop.poll();
  for (const refunded of [100, 200]) {
    world.clock.advance(60);
    await restore();
    await besideMerchant(moveNumbersOn);
    await registerOrder(world, 'after-1');
    await world.sandbox.control(svcUid, 'cancel', { amount: 100 });
    expect(await shop.poll()).toMatchObject([{ data: { refunded_amount: refunded } }]);
  }
  expect(shop.seen.size).toBe(3);
});

test('no order that was paid since the backup is charged again, and no cycle of a plan', async () => {
  const plan = await subscribe(world, key, { interval: 'day' });
  backup = await backUp(world);
  const lost = subscriptionOf(world, key, { interval: 'day' });
  const create = () => world.api('POST', '/api/subscriptions', lost);
  expect((await create()).status).toBe(201);
  const lostPlan = lost.subscription_id;
  await registerOrder(world, 'after-4', { member_id: key.memberId });
  expect((await charge(world, 'after-4', key.customerUid)).status).toBe(200);
  // The first cycles are paid, and the second ones are scheduled.
  await pass(world, HOUR);
  expect((await scheduledWith(world, key)).sort()).toEqual([`${plan}-2`, `${lostPlan}-2`].sort());

  await restore();
  expect((await create()).status).toBe(201);
  await registerOrder(world, 'after-4', { member_id: key.memberId });
  expect((await charge(world, 'after-4', key.customerUid)).body.error?.code).toBe('order_not_payable');
  expect(await getOrder(world, 'after-4')).toMatchObject({ status: 'paid' });
  await pass(world, 0);
  await pass(world, 24 * HOUR);
  const cycles = [`${plan}-1`, `${plan}-2`, `${lostPlan}-1`, `${lostPlan}-2`];
  const paid = ['after-4', ...cycles].map((order) => `${order} paid`);
  expect((await paymentsWith(world, key)).sort()).toEqual(paid.sort());
});
