// A visitor opens the return page of an order again and again with invented payments (row N2 of docs/13-faults.md).

import { findReturn } from '../../../src/merchant/options/checkout/find-return';
import { LOOK_LIMITS } from '../../../src/merchant/options/checkout/settings';
import { networkOf } from '../../../src/merchant/platform/address-list';
import { closeContext } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { mentionsOrder, openReturnPage, payForReturn, returnPath, returnState } from '../../support/browsers';
import { registerKey } from '../../support/keys';
import { metric } from '../../support/metrics';
import { charge, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import type { World } from '../../support/world';

/** Few visits fill the limits here. Where the real limits matter, a test has a world with them. */
const OF_ORDER = 6;
const OF_ADDRESS = 12;
const world = useWorld({
  constants: {
    lookLimits: {
      address: { ...LOOK_LIMITS.address, attempts: OF_ADDRESS },
      order: { ...LOOK_LIMITS.order, attempts: OF_ORDER },
    },
  },
});
const worldWithRealLimits = useWorld({ constants: { lookLimits: LOOK_LIMITS } });
beforeEach(async () => {
  await world.rows.query('delete from card_limits');
  await world.rows.query('delete from discrepancies');
  world.log.clear();
});

/** The level of a log line. */
const WARN = 40;

const discrepancies = () =>
  world.rows.query('select kind, svc_uid, times_seen from discrepancies order by id');
const warnings = () => world.log.lines().filter(({ level }) => Number(level) >= WARN);
const madeUp = (count: number) => Array.from({ length: count }, (_, n) => `svc_madeup_${n}`);
const from = (address: string) => ({ 'x-forwarded-for': address });
const paced = (limit: string) => metric(world, `merchant_return_looks_paced_total{limit="${limit}"}`);

/** Concurrent visits for one order, each with another payment; returns the number of calls to the service. */
function visit(
  merchantUid: string,
  svcUids: readonly string[],
  headers = from('203.0.113.7'),
  ofWorld: World = world,
) {
  return ofWorld.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
    const answers = await Promise.all(
      svcUids.map((svcUid) => openReturnPage(ofWorld, returnPath(merchantUid, svcUid), headers)),
    );
    for (const answer of answers)
      expect([answer.status, returnState(answer)]).toEqual([200, 'not_known_yet']);
  });
}

/** The number of calls to the service that a visit to another process causes. */
async function lookElsewhere(reported: { svcUid: string; merchantUid: string }, address: string | null) {
  const other = openContext(world);
  const look = () => findReturn(other, { ...reported, network: networkOf(address) });
  try {
    return await world.sandbox.requestsDuring(FETCH_PAYMENT, look);
  } finally {
    await closeContext(other);
  }
}

test('N2 visits with unknown payments cause a limited number of calls, no discrepancy and no warning', async () => {
  const uid = await registerOrder(world);
  const before = await paced('order');
  expect(await visit(uid, madeUp(2 * OF_ORDER))).toBe(OF_ORDER);
  expect(await discrepancies()).toEqual([]);
  expect(warnings()).toEqual([]);
  expect((await paced('order')) - before).toBe(OF_ORDER);
});

test('N2 the visits of one network count together over all orders, and other networks are not kept waiting', async () => {
  const before = await paced('address');
  let calls = 0;
  for (const host of [1, 2, 3, 4])
    calls += await visit(await registerOrder(world), madeUp(OF_ORDER - 1), from(`2001:db8:0:1::${host}`));
  expect(calls).toBe(OF_ADDRESS);
  expect((await paced('address')) - before).toBe(4 * (OF_ORDER - 1) - OF_ADDRESS);
  expect(await visit(await registerOrder(world), ['svc_other'], from('2001:db8:0:2::1'))).toBe(1);
});

test('N2 the visits of one order count together over all processes and networks', async () => {
  const merchantUid = await registerOrder(world);
  expect(await visit(merchantUid, madeUp(OF_ORDER))).toBe(OF_ORDER);
  expect(await lookElsewhere({ svcUid: 'svc_elsewhere', merchantUid }, '198.51.100.9')).toBe(0);
});

test('N2 when the pace is used up the page says what is stored, and a notification is processed as ever', async () => {
  const { uid, svcUid, path } = await payForReturn(world);
  await visit(uid, madeUp(OF_ORDER));
  expect(returnState(await openReturnPage(world, path))).toBe('not_known_yet');
  expect(await sendNotification(world, svcUid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(returnState(await openReturnPage(world, path))).toBe('paid');
});

test('N2 a buyer who pays at the fourth try and reloads every page to its end does not have to wait', async () => {
  const { uid, path } = await payForReturn(worldWithRealLimits);
  const address = from('203.0.113.7');
  for (const svcUid of ['svc_first', 'svc_second', 'svc_third'])
    for (const seconds of [0, 3, 5, 8, 15, 30, 60, 120]) {
      worldWithRealLimits.clock.advance(seconds);
      expect(await visit(uid, [svcUid], address, worldWithRealLimits)).toBe(1);
    }
  for (let reload = 0; reload < 10; reload += 1)
    expect(returnState(await openReturnPage(worldWithRealLimits, path, address))).toBe('paid');
});

test('N2 a 429 that a visitor provokes delays neither notifications nor charges, and visitors wait for its end', async () => {
  const visited = await registerOrder(world);
  const { customerUid } = await registerKey(world);
  const headers = { 'retry-after': '60' };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 429, headers, times: 1 });
  expect(await visit(visited, ['svc_first'])).toBe(1);
  expect(await lookElsewhere({ svcUid: 'svc_second', merchantUid: visited }, null)).toBe(0);

  const notified = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, notified);
  expect(await sendNotification(world, svcUid, notified)).toEqual({ status: 200, outcome: 'recorded' });
  expect((await charge(world, await registerOrder(world), customerUid)).status).toBe(200);
  await world.sandbox.waitForNotifications();
  expect(await visit(visited, ['svc_third'])).toBe(0);
  await world.advance(60);
  expect(await visit(visited, ['svc_fourth'])).toBe(1);
});

test('N2 a payment over a wrong amount that a visitor names is noted: the service shows that it was paid', async () => {
  const { uid, path } = await payForReturn(world, { amount: 11_999 });
  const answer = await openReturnPage(world, path);
  expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([200, 'checking', false]);
  expect(answer.html).not.toContain('11,999');
  expect(await discrepancies()).toMatchObject([{ kind: 'amount_mismatch', times_seen: 1 }]);
  expect(await orderStatus(world, uid)).toBe('open');
});

test('N2 what a visitor makes up is noted once a notification or the merchant’s own server claims it', async () => {
  const uid = await registerOrder(world);
  const { svcUid: others } = await payForReturn(world);
  await visit(uid, ['svc_none', others]);
  expect(await discrepancies()).toEqual([]);
  expect((await sendNotification(world, 'svc_none', uid)).outcome).toBe('unknown_payment');
  expect((await world.api('POST', `/api/payments/${others}/sync`, { merchant_uid: uid })).status).toBe(400);
  expect(await discrepancies()).toMatchObject([{ kind: 'unknown_payment' }, { kind: 'order_mismatch' }]);
});
