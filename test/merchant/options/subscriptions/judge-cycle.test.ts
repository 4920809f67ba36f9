// The next step of a subscription, computed from its rows, in cases that a flow cannot produce easily.

import fc from 'fast-check';
import { ChargeStatus, OrderStatus } from '../../../../src/generated/prisma/client';
import { judgeCycle, type CycleRows } from '../../../../src/merchant/options/subscriptions/judge-cycle';
import type { StoredSubscription } from '../../../../src/merchant/options/subscriptions/subscription-store';
import { holds } from '../../../support/property';

const NOW = new Date('2027-01-31T00:00:00Z');
const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const NO_CHANGE = {
  nextCustomerUid: null,
  nextAmount: null,
  nextName: null,
  isPausing: false,
  isReplacing: false,
};
const subscription = (changes: Partial<StoredSubscription> = {}) =>
  ({ status: 'active', attempt: 0, paymentAt: NOW, ...NO_CHANGE, ...changes }) as StoredSubscription;
const order = (status: NonNullable<CycleRows['order']>['status'], wasPaid = false) => ({
  status,
  fits: true,
  wasPaid,
});
const charge = (status: NonNullable<CycleRows['blocking']>['status'], scheduleAt: Date | null) => ({
  id: 'abc',
  status,
  scheduleAt,
});
const attempted = (status: NonNullable<CycleRows['attempted']>['status'], kind = 'again') => ({
  attempted: { kind, status },
});

/** The next step for an open, due order without an attempt and with an active key, with these changes. */
const judge = (changes: Partial<CycleRows>, of: Partial<StoredSubscription> = {}) =>
  judgeCycle(
    subscription(of),
    { order: order('open'), blocking: null, attempted: null, key: 'active', ...changes },
    NOW,
  );
const waiting = (minutes: number, needsPerson: string | null = null) => ({
  kind: 'wait',
  until: inMinutes(minutes),
  needsPerson,
});

test.each<[string, Partial<CycleRows>, object]>([
  ['is not registered', { order: null }, { kind: 'charge' }],
  ['is open', {}, { kind: 'charge' }],
  ['has failed before', { order: order('failed') }, { kind: 'charge' }],
  ['waits for a deposit', { order: order('awaiting_deposit') }, { kind: 'charge' }],
  ['was closed', { order: order('closed') }, { kind: 'end', reason: 'order_closed' }],
  ['is cancelled and was paid', { order: order('cancelled', true) }, { kind: 'renew' }],
  ['was cancelled unpaid', { order: order('cancelled') }, { kind: 'end', reason: 'order_closed' }],
  ['is of something else', { order: { ...order('open'), fits: false } }, waiting(10, 'order_conflict')],
  ['is not paid though its charge is', attempted('paid'), waiting(10, 'order_not_paid')],
  [
    'has a charge for a person',
    { blocking: charge('needs_review', NOW) },
    waiting(10, 'charge_needs_review'),
  ],
  ['has a charge under way', { blocking: charge('pending', null) }, waiting(1)],
  ['has a charge of unknown outcome', { blocking: charge('unknown', null) }, waiting(1)],
])('a payment that is due, where its order %s', (_, changes, step) => {
  expect(judge(changes)).toEqual(step);
});

test.each<[string, Partial<CycleRows>, object]>([
  ['its charge is declined', attempted('failed'), { reason: 'declined', isFinal: false }],
  ['its charge is refused', attempted('refused'), { reason: 'refused', isFinal: false }],
  ['its key cannot pay now', { key: 'not_active' }, { reason: 'billing_key_not_active', isFinal: false }],
  ['its key is gone', { key: 'gone' }, { reason: 'billing_key_not_active', isFinal: true }],
  ['a retry was declined, and its key is gone', { ...attempted('failed'), key: 'gone' }, { isFinal: true }],
])('a payment has failed where %s', (_, changes, step) => {
  expect(judge(changes)).toMatchObject({ kind: 'fail', ...step });
});

test('a refused schedule is not a failed payment: the payment is made when it is due', () => {
  expect(judge(attempted('refused', 'schedule'))).toEqual({ kind: 'charge' });
});

test.each([
  ['more than a minute ahead is scheduled', 2, 0, 'schedule'],
  ['nearer than that waits for its time', 1, 0, 'wait'],
  ['that is a retry waits for its time: it is made by us', 600, 1, 'wait'],
] as const)('a payment %s', (_, minutes, attempt, kind) => {
  const of = { paymentAt: inMinutes(minutes), attempt };
  expect(judge({}, of).kind).toBe(kind);
  // An open virtual account changes nothing.
  expect(judge({ order: order('awaiting_deposit') }, of).kind).toBe(kind);
});

test('an open virtual account does not hide a failed payment', () => {
  const awaiting = { order: order('awaiting_deposit') };
  expect(judge({ ...awaiting, ...attempted('failed') })).toMatchObject({ kind: 'fail', reason: 'declined' });
  expect(judge({ ...awaiting, blocking: charge('scheduled', NOW) }).kind).toBe('ask');
  expect(judge({ ...awaiting, blocking: charge('scheduled', inMinutes(60)) }).kind).toBe('wait');
});

test.each([
  ['lies ahead by our clock', 60, 61],
  ['is due', 0, 1],
])('the service is asked if an order has failed and its schedule %s', (_, minutes, until) => {
  const blocking = charge('scheduled', inMinutes(minutes));
  const step = { kind: 'ask', chargeId: 'abc', ifNotExecuted: waiting(until) };
  expect(judge({ order: order('failed'), blocking })).toEqual(step);
  expect(judge({ blocking }).kind).toBe('wait');
});

test.each(['pending', 'unknown', 'scheduled', 'needs_review'] as const)(
  'a paid order is renewed beside a schedule that is %s, which is revoked for every paid order',
  (status) => {
    const blocking = charge(status, inMinutes(60));
    expect(judge({ order: order('paid', true), blocking })).toEqual({ kind: 'renew' });
  },
);

test('a refused schedule is sent again, and is a case for a person from a day before its date on', () => {
  const paymentAt = inMinutes(25 * 60);
  const step = { kind: 'schedule', caseFrom: inMinutes(60) };
  expect(judge({}, { paymentAt })).toEqual({ ...step, wasRefused: false });
  expect(judge(attempted('refused', 'schedule'), { paymentAt })).toEqual({ ...step, wasRefused: true });
});

const ahead = { paymentAt: inMinutes(60) };
const waits = { blocking: charge('scheduled', inMinutes(60)) };
const isDue = { blocking: charge('scheduled', NOW) };
const closed = { order: order('closed') };
const late = { paymentAt: NOW, attempt: 1 };

test.each<[string, Partial<StoredSubscription>, Partial<CycleRows>, string]>([
  ['an amount, while its schedule waits', { ...ahead, nextAmount: 2n }, waits, 'revoke'],
  ['an amount, once it is revoked', { ...ahead, nextAmount: 2n }, {}, 'close'],
  ['an amount, once its order is closed', { ...ahead, nextAmount: 2n, isReplacing: true }, closed, 'replace'],
  ['an amount, after somebody else has closed it', { ...ahead, nextAmount: 2n }, closed, 'end'],
  ['an amount, while the service may make the payment', { nextAmount: 2n }, isDue, 'wait'],
  ['an amount, when it is due', { nextAmount: 2n }, {}, 'charge'],
  ['an amount, before a retry', { ...late, nextAmount: 2n }, {}, 'charge'],
  ['a name, once it is revoked', { ...ahead, nextName: 'Coffee' }, {}, 'close'],
  ['a card, while its schedule waits', { ...ahead, nextCustomerUid: 'other' }, waits, 'revoke'],
  ['a card, once it is revoked', { ...ahead, nextCustomerUid: 'other' }, {}, 'switch_card'],
  ['a card, before a retry', { ...late, nextCustomerUid: 'other' }, {}, 'switch_card'],
  [
    'a card, while it is charged',
    { nextCustomerUid: 'other' },
    { blocking: charge('pending', null) },
    'wait',
  ],
  ['a pause, while its schedule waits', { ...ahead, isPausing: true }, waits, 'revoke'],
  ['a pause, when it is due', { isPausing: true }, {}, 'close'],
  ['a pause, while it is charged', { isPausing: true }, { blocking: charge('unknown', null) }, 'wait'],
  ['a pause, after a failed retry', { ...late, isPausing: true }, attempted('failed'), 'fail'],
  ['a pause, before a retry', { ...late, isPausing: true }, {}, 'close'],
  ['a pause, once it is paid', { isPausing: true }, { order: order('paid', true) }, 'renew'],
  [
    'a pause that was taken back when its order was closed',
    { ...late, isReplacing: true },
    closed,
    'replace',
  ],
])('a plan with a change that waits: %s', (_, of, changes, kind) => {
  expect(judge(changes, of).kind).toBe(kind);
});

test('a removed card does not end a plan that has another one to change to', () => {
  const declined = { ...attempted('failed'), key: 'gone' as const };
  expect(judge(declined, { nextCustomerUid: 'other' })).toMatchObject({ kind: 'fail', isFinal: false });
});

const anyTime = fc.integer({ min: -9000, max: 9000 }).map(inMinutes);
const anyStatus = fc.constantFrom(...Object.values(OrderStatus));
const anyOrder = fc.record({ status: anyStatus, fits: fc.boolean(), wasPaid: fc.boolean() });
const openStatus = fc.constantFrom('pending', 'unknown', 'scheduled', 'needs_review');
const anyBlocking = fc.record({
  id: fc.constant('abc'),
  status: openStatus,
  scheduleAt: fc.option(anyTime),
});
const anyAttempted = fc.record({
  kind: fc.constantFrom('schedule', 'again'),
  status: fc.constantFrom(...Object.values(ChargeStatus)),
});
const anyRows: fc.Arbitrary<CycleRows> = fc.record({
  order: fc.option(anyOrder),
  blocking: fc.option(anyBlocking),
  attempted: fc.option(anyAttempted),
  key: fc.constantFrom('active', 'not_active', 'gone'),
});
const anySubscription = fc
  .record({
    status: fc.constantFrom('active' as const, 'past_due' as const),
    attempt: fc.integer({ min: 0, max: 3 }),
    paymentAt: anyTime,
    nextCustomerUid: fc.option(fc.constant('other')),
    nextAmount: fc.option(fc.constant(2n)),
    isPausing: fc.boolean(),
    isReplacing: fc.boolean(),
  })
  .map(subscription);

test('for any rows money is taken only if nothing is paid, in progress or refused, and a wait ends within a day', () => {
  holds(
    fc.property(anySubscription, anyRows, (of, shown) => {
      const step = judgeCycle(of, shown, NOW);
      const { kind } = step;
      if (step.kind === 'wait') {
        expect(step.until > NOW).toBe(true);
        expect(step.until <= inMinutes(24 * 60)).toBe(true);
      }
      // An order is closed only while nothing pays for it.
      if (kind === 'close') expect(shown.blocking).toBeNull();
      if (kind !== 'charge' && kind !== 'schedule') return;
      expect([of.isPausing, of.isReplacing, of.nextCustomerUid]).toEqual([false, false, null]);
      expect(shown.blocking).toBeNull();
      expect(['open', 'failed', 'awaiting_deposit', undefined]).toContain(shown.order?.status);
      expect(shown.order?.fits ?? true).toBe(true);
      expect(shown.key).toBe('active');
      expect(['paid', 'failed']).not.toContain(shown.attempted?.status);
      // A charge is made when it is due, and a schedule is in the future.
      expect(of.paymentAt <= NOW).toBe(kind === 'charge');
    }),
    3,
  );
});
