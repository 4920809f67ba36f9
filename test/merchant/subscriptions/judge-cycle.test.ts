// What a subscription needs next, by what its rows show: the cases that a flow cannot bring about at will.

import fc from 'fast-check';
import { judgeCycle, type CycleRows } from '../../../src/merchant/subscriptions/judge-cycle';
import type { StoredSubscription } from '../../../src/merchant/subscriptions/subscription-store';
import { holds } from '../../support/property';

const NOW = new Date('2027-01-31T00:00:00Z');
const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const subscription = (changes: Partial<StoredSubscription> = {}): StoredSubscription => ({
  subscriptionId: 'sub',
  customerUid: 'card',
  memberId: 'member',
  name: 'Tea',
  amount: 1000n,
  currency: 'KRW',
  interval: 'month',
  firstPaymentAt: NOW,
  status: 'active',
  cycle: 1,
  attempt: 0,
  paymentAt: NOW,
  version: 0,
  endReason: null,
  checkAt: NOW,
  claimedUntil: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...changes,
});
const order = (status: NonNullable<CycleRows['order']>['status'], wasPaid = false) => ({
  status,
  fits: true,
  wasPaid,
});
const rows = (changes: Partial<CycleRows> = {}): CycleRows => ({
  order: order('open'),
  unsettled: null,
  attempted: null,
  key: 'active',
  ...changes,
});
const charge = (status: 'unknown' | 'scheduled' | 'needs_review', scheduleAt: Date) => ({
  id: 'abc',
  status,
  scheduleAt,
});
const judge = (changes: Partial<CycleRows>, of: Partial<StoredSubscription> = {}) =>
  judgeCycle(subscription(of), rows(changes), NOW);

test.each([
  ['is not registered', { order: null }],
  ['is open', { order: order('open') }],
  ['has failed before', { order: order('failed') }],
] as const)('a payment that is due is made where its order %s', (_, changes) => {
  expect(judge(changes)).toEqual({ kind: 'charge' });
});

test.each([
  ['more than a minute ahead is scheduled', 2, 0, 'schedule'],
  ['nearer than that waits for its time', 1, 0, 'wait'],
  ['that is a retry waits for its time: it is made by us', 600, 1, 'wait'],
] as const)('a payment %s', (_, minutes, attempt, kind) => {
  expect(judge({}, { paymentAt: inMinutes(minutes), attempt }).kind).toBe(kind);
});

describe('a virtual account that somebody has opened for the order', () => {
  const awaiting = { order: order('awaiting_deposit') };

  test('keeps no payment back that is due, and no schedule', () => {
    expect(judge(awaiting)).toEqual({ kind: 'charge' });
    expect(judge(awaiting, { paymentAt: inMinutes(2) })).toEqual({ kind: 'schedule' });
  });

  test('does not hide that a payment has failed', () => {
    const attempted = { kind: 'again', status: 'failed' } as const;
    expect(judge({ ...awaiting, attempted })).toEqual({ kind: 'fail', reason: 'declined', isFinal: false });
    expect(judge({ ...awaiting, unsettled: charge('scheduled', NOW) }).kind).toBe('ask');
    expect(judge({ ...awaiting, unsettled: charge('scheduled', inMinutes(60)) }).kind).toBe('wait');
  });
});

test('an order that is cancelled was paid if money has moved, and was closed if none has', () => {
  expect(judge({ order: order('cancelled', true) })).toEqual({ kind: 'renew' });
  expect(judge({ order: order('cancelled', false) })).toEqual({ kind: 'end', reason: 'order_closed' });
});

test('a charge that was paid beside an order that is not is left to a person', () => {
  expect(judge({ attempted: { kind: 'again', status: 'paid' } })).toMatchObject({
    kind: 'wait',
    needsPerson: 'order_not_paid',
  });
});

test.each([
  ['lies ahead by our clock', 60, 61],
  ['is due', 0, 1],
])('the service is asked where an order has failed and its schedule %s', (_, minutes, until) => {
  const unsettled = charge('scheduled', inMinutes(minutes));
  expect(judge({ order: order('failed'), unsettled })).toEqual({
    kind: 'ask',
    chargeId: 'abc',
    ifNotExecuted: { kind: 'wait', until: inMinutes(until), needsPerson: null },
  });
  expect(judge({ unsettled }).kind).toBe('wait');
});

test('a paid order with a schedule of unknown outcome waits: the schedule could still take the money', () => {
  const scheduleAt = inMinutes(60);
  const paid = { order: order('paid', true) };
  expect(judge({ ...paid, unsettled: charge('unknown', scheduleAt) }).kind).toBe('wait');
  expect(judge({ ...paid, unsettled: charge('scheduled', scheduleAt) })).toEqual({
    kind: 'ask',
    chargeId: 'abc',
    ifNotExecuted: { kind: 'revoke' },
  });
  expect(judge({ ...paid, unsettled: charge('scheduled', NOW) }).kind).toBe('renew');
  expect(judge({ ...paid, unsettled: charge('needs_review', scheduleAt) }).kind).toBe('renew');
});

const chargeStatus = fc.constantFrom(
  'pending',
  'unknown',
  'scheduled',
  'paid',
  'failed',
  'refused',
  'not_executed',
  'revoked',
  'needs_review',
);
const anyRows: fc.Arbitrary<CycleRows> = fc.record({
  order: fc.option(
    fc.record({
      status: fc.constantFrom(
        'open',
        'awaiting_deposit',
        'paid',
        'partially_cancelled',
        'cancelled',
        'failed',
        'closed',
      ),
      fits: fc.boolean(),
      wasPaid: fc.boolean(),
    }),
  ),
  unsettled: fc.option(
    fc.record({
      id: fc.constant('abc'),
      status: fc.constantFrom('pending', 'unknown', 'scheduled', 'needs_review'),
      scheduleAt: fc.option(fc.integer({ min: -9000, max: 9000 }).map(inMinutes)),
    }),
  ),
  attempted: fc.option(fc.record({ kind: fc.constantFrom('schedule', 'again'), status: chargeStatus })),
  key: fc.constantFrom('active', 'not_active', 'gone'),
});
const anySubscription = fc
  .record({
    status: fc.constantFrom('active', 'past_due'),
    attempt: fc.integer({ min: 0, max: 3 }),
    paymentAt: fc.integer({ min: -9000, max: 9000 }).map(inMinutes),
  })
  .map((changes) => subscription(changes as Partial<StoredSubscription>));

test('whatever the rows show, money is taken only where nothing is paid, on its way or refused by the order', () => {
  holds(
    fc.property(anySubscription, anyRows, (of, shown) => {
      const { kind } = judgeCycle(of, shown, NOW);
      if (kind !== 'charge' && kind !== 'schedule') return;
      expect(shown.unsettled).toBeNull();
      expect(['open', 'failed', 'awaiting_deposit', undefined]).toContain(shown.order?.status);
      expect(shown.order?.fits ?? true).toBe(true);
      expect(shown.key).toBe('active');
      expect(['paid', 'failed']).not.toContain(shown.attempted?.status);
      // We charge when it is due, and what we schedule lies ahead.
      expect(of.paymentAt <= NOW).toBe(kind === 'charge');
    }),
    3,
  );
});

test('whatever the rows show, a wait ends later than now, and not later than a day', () => {
  holds(
    fc.property(anySubscription, anyRows, (of, shown) => {
      const step = judgeCycle(of, shown, NOW);
      if (step.kind !== 'wait') return;
      const ms = step.until.getTime() - NOW.getTime();
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(24 * 60 * MINUTE_MS);
    }),
    3,
  );
});
