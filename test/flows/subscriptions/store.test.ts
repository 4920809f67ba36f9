// The rows of subscriptions: what pays for a cycle, who may work on a plan, and which change of two is written.

import type { NeedsPerson } from '../../../src/generated/prisma/client';
import { changeSubscription } from '../../../src/merchant/options/subscriptions/change-store';
import { subscriptionGauges } from '../../../src/merchant/options/subscriptions/count-store';
import { findCyclePayments, readCycle } from '../../../src/merchant/options/subscriptions/cycle-store';
import { judgeCycle } from '../../../src/merchant/options/subscriptions/judge-cycle';
import { findLiveSubscriptions } from '../../../src/merchant/options/subscriptions/member-store';
import {
  claimSubscriptions,
  insertSubscription,
  releaseSubscription,
  wakeSubscription,
  type StoredSubscription,
} from '../../../src/merchant/options/subscriptions/subscription-store';
import { besideLock } from '../../support/beside-lock';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() =>
  running.rows.query('truncate subscriptions, orders, payments, charges, billing_keys, events cascade'),
);

const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);
const PLAN = {
  customerUid: 'key',
  memberId: 'kim',
  name: 'Tea',
  amount: 1000,
  currency: 'KRW',
  interval: 'month',
} as const;
const insert = (subscriptionId: string, changes: object = {}) =>
  insertSubscription(running.context, { ...PLAN, subscriptionId, firstPaymentAt: inSeconds(0), ...changes });
const row = async (subscriptionId: string) => {
  const found = await running.context.database.subscription.findUnique({ where: { subscriptionId } });
  if (!found) throw new Error('there is no such plan');
  return found;
};
const set = (subscriptionId: string, changes: string) =>
  running.rows.query(`update subscriptions set ${changes} where subscription_id = $1`, [subscriptionId]);
const setStatus = (subscriptionId: string, status: string) =>
  set(
    subscriptionId,
    `status = '${status}', end_reason = ${/active|past_due|paused/.test(status) ? 'null' : `'cancelled'`}`,
  );
const claim = (limit = 10, subscriptionId?: string) =>
  claimSubscriptions(running.context, { claimedUntil: inSeconds(300), limit, subscriptionId });
const idsOf = (plans: readonly StoredSubscription[]) =>
  plans.map(({ subscriptionId }) => subscriptionId).sort();

async function order(
  uid: string,
  status: string,
  payment?: { status: string; cancelled?: number; counted?: boolean },
) {
  await running.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, member_id, status, created_at, updated_at)
     values ($1, 'Tea', 1000, 'KRW', 'kim', $2::order_status, now(), now())`,
    [uid, status],
  );
  if (payment)
    await running.rows.query(
      `insert into payments (svc_uid, merchant_uid, status, amount, cancel_amount, counted, currency, record, paid_at,
         fetched_at, created_at, updated_at)
       values ('svc_' || $1, $1, $2::payment_status, 1000, $3, $4, 'KRW', '{}', $5, now(), now(), now())`,
      [uid, payment.status, payment.cancelled ?? 0, payment.counted ?? true, running.clock.now()],
    );
}

test.each([
  ['paid with a payment that counts', 'paid', { status: 'paid' }, 'renew'],
  ['refunded with a payment that counted', 'cancelled', { status: 'cancelled', cancelled: 1000 }, 'renew'],
  ['refunded in part', 'partially_cancelled', { status: 'paid', cancelled: 400 }, 'renew'],
  [
    'cancelled, and the payment did not count',
    'cancelled',
    { status: 'cancelled', cancelled: 1000, counted: false },
    'end',
  ],
  [
    'cancelled, and a payment that does not count holds money',
    'cancelled',
    { status: 'paid', counted: false },
    'end',
  ],
  ['cancelled without a payment', 'cancelled', { status: 'cancelled' }, 'end'],
] as const)('a cycle whose order is %s', async (_, status, payment, step) => {
  await insert('plan');
  await order('plan-1', status, payment);
  const plan = await row('plan');
  const cycle = await readCycle(running.context, plan);
  expect(cycle.order).toMatchObject({ status, fits: true });
  expect(judgeCycle(plan, cycle, running.clock.now()).kind).toBe(step);
});

test.each([
  ['another amount', { amount: 999 }],
  ['another currency', { currency: 'USD' }],
  ['another member', { member_id: 'lee' }],
  ['no member', { member_id: null }],
  ['instalments', { card_quota: 3 }],
  ['a tax-free part', { tax_free: 100 }],
])('an order with %s is not the order of the cycle, and nothing is charged for it', async (_, changes) => {
  await insert('plan');
  await order('plan-1', 'paid', { status: 'paid' });
  for (const [column, value] of Object.entries(changes))
    await running.rows.query(`update orders set ${column} = $1 where merchant_uid = 'plan-1'`, [value]);
  const plan = await row('plan');
  const step = judgeCycle(plan, await readCycle(running.context, plan), running.clock.now());
  expect(step).toMatchObject({ kind: 'wait', needsPerson: 'order_conflict' });
});

test.each([
  ['active', 'kim', 'active'],
  ['active', 'lee', 'not_active'],
  ['needs_review', 'kim', 'not_active'],
  ['removing', 'kim', 'not_active'],
  ['removed', 'kim', 'gone'],
])('a key that is %s, of the member %s, is %s for a plan of kim', async (status, memberId, expected) => {
  await insert('plan');
  await running.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ('key', $1, $2::billing_key_status, now(), now())`,
    [memberId, status],
  );
  expect((await readCycle(running.context, await row('plan'))).key).toBe(expected);
});

test('only a charge of the current try says how it ended: the schedule for its time, or a charge after it', async () => {
  await insert('plan');
  await order('plan-1', 'failed');
  const charge = (
    id: string,
    kind: string,
    startedSeconds: number,
    scheduleSeconds: number | null,
    status = 'failed',
  ) =>
    running.rows.query(
      `insert into charges (id, merchant_uid, kind, customer_uid, status, schedule_at, started_at)
       values ($1, 'plan-1', $2::charge_kind, 'key', $3::charge_status, $4, $5)`,
      [
        id,
        kind,
        status,
        scheduleSeconds === null ? null : inSeconds(scheduleSeconds),
        inSeconds(startedSeconds),
      ],
    );
  const attempted = async () => (await readCycle(running.context, await row('plan'))).attempted;
  await charge('of-before', 'again', -0.001, null);
  await charge('other-time', 'schedule', -50, -1);
  expect(await attempted()).toBeNull();
  await charge('its-schedule', 'schedule', -100, 0, 'refused');
  expect(await attempted()).toMatchObject({ kind: 'schedule', status: 'refused' });
  await charge('by-us', 'again', 0, null);
  expect(await attempted()).toMatchObject({ kind: 'again', status: 'failed' });
});

test('cycles are listed with the newest first, each with the time of its payment', async () => {
  await insert('plan');
  await set('plan', 'cycle = 3');
  await order('plan-1', 'paid', { status: 'paid' });
  await order('plan-3', 'open');
  await order('plan-4', 'paid', { status: 'paid' });
  expect(await findCyclePayments(running.context, { subscriptionId: 'plan', cycle: 3 })).toEqual([
    { cycle: 3, merchantUid: 'plan-3', status: 'open', paidAt: null },
    { cycle: 1, merchantUid: 'plan-1', status: 'paid', paidAt: running.clock.now() },
  ]);
});

test('a plan is due for one process until its claim ends: the longest due first, and none that is paused or over', async () => {
  for (const [id, status, due] of [
    ['late', 'active', -1],
    ['later', 'past_due', 0],
    ['early', 'active', -2],
    ['soon', 'active', 0.001],
    ['paused', 'paused', -5],
    ['cancelled', 'cancelled', -5],
    ['ended', 'ended', -5],
  ] as const) {
    await insert(id);
    await setStatus(id, status);
    await running.rows.query('update subscriptions set check_at = $2 where subscription_id = $1', [
      id,
      inSeconds(due),
    ]);
  }
  expect(idsOf(await claim(1))).toEqual(['early']);
  const both = await Promise.all([claim(), claim()]);
  expect(both.flatMap(idsOf).sort()).toEqual(['late', 'later']);
  // Neither one that is claimed, nor one that is over, when it is asked for by its id.
  for (const id of ['early', 'ended']) expect(await claim(1, id)).toEqual([]);
  expect(idsOf(await claim(1, 'soon'))).toEqual(['soon']);
  running.clock.advance(299);
  expect(await claim()).toEqual([]);
  running.clock.advance(1);
  expect(idsOf(await claim())).toEqual(['early', 'late', 'later', 'soon']);
});

test('a plan that another process is claiming is left to it, without a wait', async () => {
  for (const id of ['taken', 'free']) await insert(id);
  const lock = `select from subscriptions where subscription_id = 'taken' for update`;
  expect(idsOf(await besideLock(running, lock, () => claim()))).toEqual(['free']);
});

test('a plan is checked next when its claim says, or at once if it was woken meanwhile', async () => {
  await insert('plan');
  const [claimed] = await claim();
  if (!claimed) throw new Error('it is due');
  await releaseSubscription(running.context, claimed, { checkAt: inSeconds(3600), needsPerson: null });
  expect(await row('plan')).toMatchObject({ claimedUntil: null, checkAt: inSeconds(3600) });
  await set('plan', 'check_at = now()');
  const [again] = await claim();
  expect(await wakeSubscription(running.context, { subscriptionId: 'plan', cycle: 2 })).toBe(false);
  expect(await wakeSubscription(running.context, { subscriptionId: 'plan', cycle: 1 })).toBe(true);
  await releaseSubscription(running.context, again ?? claimed, {
    checkAt: inSeconds(3600),
    needsPerson: null,
  });
  expect(await row('plan')).toMatchObject({ claimedUntil: null, checkAt: running.clock.now() });
  // Who has lost the claim releases nothing.
  const [third] = await claim();
  await releaseSubscription(running.context, claimed, { checkAt: inSeconds(7200), needsPerson: null });
  expect(await row('plan')).toMatchObject({ claimedUntil: third?.claimedUntil, checkAt: third?.checkAt });
  await setStatus('plan', 'ended');
  expect(await wakeSubscription(running.context, { subscriptionId: 'plan', cycle: 1 })).toBe(false);
});

test('why a plan needs a person is stored with the time since when, which stays while the reason does', async () => {
  await insert('plan');
  const release = async (needsPerson: NeedsPerson | null) => {
    const [claimed] = await claim(1, 'plan');
    if (!claimed) throw new Error('nobody else has it');
    await releaseSubscription(running.context, claimed, { checkAt: inSeconds(3600), needsPerson });
    const { needsPerson: reason, needsPersonSince: since } = await row('plan');
    return [reason, since?.getTime()];
  };
  const began = running.clock.nowMs();
  expect(await release('order_conflict')).toEqual(['order_conflict', began]);
  running.clock.advance(60);
  expect(await release('order_conflict')).toEqual(['order_conflict', began]);
  expect(await release('schedule_refused')).toEqual(['schedule_refused', began + 60_000]);
  expect(await release(null)).toEqual([null, undefined]);
  running.clock.advance(60);
  expect(await release('schedule_refused')).toEqual(['schedule_refused', began + 120_000]);
});

test('a plan whose checks do not end counts as overdue, until one ends', async () => {
  const overdue = async () => (await subscriptionGauges.read(running.context, running.clock.now()))[0];
  await insert('plan');
  for (let claims = 0; claims < 3; claims += 1) {
    expect(idsOf(await claim())).toEqual(['plan']);
    expect(await overdue()).toMatchObject({ merchant_subscriptions_overdue: 0 });
    running.clock.advance(301);
  }
  expect(await overdue()).toMatchObject({ merchant_subscriptions_overdue: 1 });
  for (let checks = 0; checks < 2; checks += 1)
    for (const claimed of await claim())
      await releaseSubscription(running.context, claimed, { checkAt: inSeconds(3600), needsPerson: null });
  expect(await overdue()).toMatchObject({ merchant_subscriptions_overdue: 0 });
});

test('of two changes of one version one is written, with its events; the other writes nothing', async () => {
  await insert('plan');
  const before = await row('plan');
  const end = (reason: string) =>
    changeSubscription(running.context, before, { status: 'ended', endReason: reason }, [
      { type: 'subscription.payment_failed', data: { next_payment_at: null, reason: 'declined' } },
      { type: 'subscription.ended', data: { next_payment_at: null, reason: 'declined' } },
    ]);
  const both = await Promise.all([end('one'), end('two')]);
  expect(both.filter(Boolean)).toHaveLength(1);
  const changed = await row('plan');
  expect(both).toContainEqual(
    expect.objectContaining({ version: changed.version, endReason: changed.endReason }),
  );
  const events = await running.rows.query('select stream, version, type from events order by version');
  expect(events).toEqual([
    { stream: 'subscription:plan', version: changed.version - 1, type: 'subscription.payment_failed' },
    { stream: 'subscription:plan', version: changed.version, type: 'subscription.ended' },
  ]);
  expect(await changeSubscription(running.context, before, { status: 'active' }, [])).toBeNull();
  expect(await row('plan')).toEqual(changed);
});

test('a plan is inserted once, and not beside an order that would count for its first cycle', async () => {
  const both = await Promise.all([insert('plan'), insert('plan')]);
  expect(both.sort()).toEqual([false, true]);
  await order('other-1', 'open');
  expect(await insert('other')).toBe(false);
  await order('third-2', 'open');
  expect(await insert('third')).toBe(true);
});

test('a member has only the own plans that still take money', async () => {
  for (const [id, memberId, status] of [
    ['b', 'kim', 'active'],
    ['a', 'kim', 'past_due'],
    ['c', 'kim', 'paused'],
    ['over', 'kim', 'cancelled'],
    ['of-lee', 'lee', 'active'],
  ]) {
    await insert(String(id), { memberId });
    await setStatus(String(id), String(status));
  }
  expect(await findLiveSubscriptions(running.context, 'kim')).toEqual(['a', 'b', 'c']);
});
