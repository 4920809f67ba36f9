// The judgement refuses what is false, and holds back what it cannot decide.

import type { PaymentRecord } from '../../../src/merchant/payment-service/records/payment-record';
import { judgePayment, type Evidence } from '../../../src/merchant/payments/judge-payment';
import { cancelEntry, evidence, paymentRecord, snapshot, snapshotWith } from '../../support/builders';

const shown = (changes: Partial<PaymentRecord>) => ({ record: paymentRecord(changes) });
const noOrder = { ...snapshot(), order: null };
const elsewhere = snapshot({}, { storedUnder: 'order-9' });

function expectRefused(
  changes: Partial<Evidence>,
  kind: string,
  expected: string | null,
  actual: string | null,
) {
  expect(judgePayment(evidence(changes))).toEqual({
    outcome: kind,
    discrepancies: [{ kind, expected, actual }],
  });
}

function expectHeld(
  changes: Partial<PaymentRecord>,
  reason: string,
  expected: string,
  actual: string | null,
) {
  expect(judgePayment(evidence(shown(changes)))).toEqual({
    outcome: 'queued',
    reason,
    discrepancies: [{ kind: 'needs_review', expected, actual }],
  });
}

describe('what is false is refused', () => {
  test.each<[string, Partial<Evidence>, string, string | null, string | null]>([
    ['a payment that the service does not know', { record: null }, 'unknown_payment', 'svc_1', null],
    ['one stored under another order', { snapshot: elsewhere }, 'order_mismatch', 'order-9', 'order-1'],
    ['one of an order that nobody registered', { snapshot: noOrder }, 'unknown_order', null, 'order-1'],
  ])('%s', (_name, changes, outcome, expected, actual) => {
    expectRefused(changes, outcome, expected, actual);
  });

  test.each([
    ['one won too little', 999],
    ['one won too much', 1001],
  ])('an amount that is not the order’s is never recorded: %s', (_name, amount) => {
    expectRefused(shown({ amount }), 'amount_mismatch', '1000 KRW', `${amount} KRW`);
  });

  test('C7 an answer about another payment is refused and told', () => {
    expectRefused(shown({ svcUid: 'svc_2' }), 'order_mismatch', 'svc_1', 'svc_2');
  });

  test('C8 a genuine payment replayed for another order pays for neither', () => {
    expectRefused(shown({ merchantUid: 'order-2' }), 'order_mismatch', 'order-1', 'order-2');
  });

  test('C12 a thousand dollars are not a thousand won', () => {
    expectRefused(shown({ currency: 'USD' }), 'currency_mismatch', 'KRW', 'USD');
  });

  test('C9 an amount that was changed at the service after it was stored is not taken over', () => {
    for (const status of ['paid', 'ready'] as const) {
      const known = snapshotWith(paymentRecord({ status }));
      const changed = { ...shown({ status, amount: 1 }), snapshot: known };
      expectRefused(changed, 'amount_mismatch', '1000 KRW', '1 KRW');
    }
  });
});

describe('over another amount or currency, and nothing is paid', () => {
  const unpaid: [string, Partial<PaymentRecord>][] = [
    ['a virtual account', { status: 'ready' }],
    ['a failed attempt', { status: 'failed' }],
    ['an account that was closed without a deposit', { status: 'cancelled' }],
  ];
  test.each(unpaid)('%s is not stored, and nobody is told', (_what, changes) => {
    for (const wrong of [{ amount: 1 }, { currency: 'USD' }])
      expect(judgePayment(evidence(shown({ ...changes, ...wrong })))).toEqual({
        outcome: 'unchanged',
        payment: { status: changes.status },
        discrepancies: [],
      });
  });

  test.each<[string, Partial<PaymentRecord>]>([
    ['paid', { status: 'paid' }],
    ['given back', { status: 'cancelled', cancelAmount: 1 }],
    ['given back by what it says of its time', { status: 'cancelled', paidAt: new Date(0) }],
    ['failed with money given back', { status: 'failed', cancelAmount: 1 }],
  ])('once money has moved it is a mismatch: %s', (_how, changes) => {
    expect(judgePayment(evidence(shown({ amount: 1, ...changes }))).outcome).toBe('amount_mismatch');
  });
});

test.each([
  ['test', 'order_mismatch', 'a payment of a test channel'],
  ['not_shown', 'unknown_payment', 'a payment that shows no channel'],
] as const)(
  'in production a channel that is %s pays for no order; elsewhere it does',
  (channel, outcome, actual) => {
    expectRefused({ channel, acceptsTestPayments: false }, outcome, 'a live payment', actual);
    expect(judgePayment(evidence({ channel })).outcome).toBe('recorded');
  },
);

test('in production a live payment pays', () => {
  const live = evidence({ channel: 'live', acceptsTestPayments: false });
  expect(judgePayment(live).outcome).toBe('recorded');
});

test('an order that names its member is not paid while the payer cannot be seen', () => {
  const ofMember = evidence({ snapshot: snapshot({ memberId: 'member-1' }), showsPayer: false });
  expect(judgePayment(ofMember)).toEqual({
    outcome: 'queued',
    reason: 'payer_not_shown',
    discrepancies: [{ kind: 'needs_review', expected: 'the billing key that paid', actual: null }],
  });
  expect(judgePayment(evidence({ showsPayer: false })).outcome).toBe('recorded');
});

describe('what cannot be judged waits', () => {
  test('a status that the document does not name', () => {
    expect(judgePayment(evidence(shown({ status: 'unknown' })))).toEqual({
      outcome: 'queued',
      reason: 'unknown_status',
      discrepancies: [],
    });
  });

  test('C13 an amount without a currency is held for review', () => {
    expectHeld({ currency: null }, 'currency_missing', 'KRW', null);
  });

  test('C22 more cancelled than paid is held for review', () => {
    const changes = { status: 'cancelled', cancelAmount: 1001 } as const;
    expectHeld(changes, 'cancellation_contradicts', 'at most 1000', 'cancelled 1001');
  });

  test.each([
    ['of another sum', [100, 100], 'cancelled 300, history 200'],
    ['that cannot be read', [null], 'history without an amount'],
    ['of which a part cannot be read', [300, null], 'history without an amount'],
  ])('a history of cancellations %s', (_name, history, actual) => {
    const cancelHistory = history.map(cancelEntry);
    const changes = { status: 'cancelled', cancelAmount: 300, cancelHistory } as const;
    expectHeld(changes, 'cancellation_contradicts', 'at most 1000', actual);
  });
});
