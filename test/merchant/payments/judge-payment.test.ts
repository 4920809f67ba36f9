// The judgement refuses what is false, and holds back what it cannot decide.

import fc from 'fast-check';
import type { PaymentRecord } from '../../../src/merchant/payment-service/records/payment-record';
import { judgePayment, type Evidence } from '../../../src/merchant/payments/judge-payment';
import { cancelEntry, evidence, paymentRecord, snapshot, snapshotWith } from '../../support/builders';
import { holds } from '../../support/property';

describe('what is false is refused', () => {
  const cases: [string, Partial<Evidence>, string, string | null, string | null][] = [
    ['a payment that the service does not know', { record: null }, 'unknown_payment', 'svc_1', null],
    [
      'an answer about another payment',
      { record: paymentRecord({ svcUid: 'svc_2' }) },
      'order_mismatch',
      'svc_1',
      'svc_2',
    ],
    [
      'a genuine payment replayed for another order',
      { record: paymentRecord({ merchantUid: 'order-2' }) },
      'order_mismatch',
      'order-1',
      'order-2',
    ],
    [
      'a payment that is stored under another order',
      { snapshot: snapshot({}, { storedUnder: 'order-9' }) },
      'order_mismatch',
      'order-9',
      'order-1',
    ],
    [
      'a payment for an order that nobody registered',
      { snapshot: { order: null, payments: [], storedUnder: null, hasOpenDoubt: false, pauses: [] } },
      'unknown_order',
      null,
      'order-1',
    ],
    [
      'one won too little',
      { record: paymentRecord({ amount: 999 }) },
      'amount_mismatch',
      '1000 KRW',
      '999 KRW',
    ],
    [
      'one won too much',
      { record: paymentRecord({ amount: 1001 }) },
      'amount_mismatch',
      '1000 KRW',
      '1001 KRW',
    ],
    ['another currency', { record: paymentRecord({ currency: 'USD' }) }, 'currency_mismatch', 'KRW', 'USD'],
  ];
  test.each(cases)('%s', (_name, changes, outcome, expected, actual) => {
    expect(judgePayment(evidence(changes))).toEqual({
      outcome,
      discrepancies: [{ kind: outcome, expected, actual }],
    });
  });

  test('an amount that is not the order’s is never recorded, whatever else is true', () => {
    const statuses = fc.constantFrom('ready', 'paid', 'cancelled', 'failed', 'unknown');
    holds(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        statuses,
        fc.boolean(),
        (amount, cancelAmount, status, confirmed) => {
          const record = paymentRecord({ amount, cancelAmount, status });
          const { outcome } = judgePayment(evidence({ record, confirmed }));
          return outcome !== 'recorded' || amount === 1000;
        },
      ),
    );
  });
});

describe('over another amount or currency, and nothing is paid', () => {
  const wrong: [string, Partial<PaymentRecord>][] = [
    ['one won', { amount: 1 }],
    ['dollars', { currency: 'USD' }],
  ];
  const unpaid: [string, Partial<PaymentRecord>][] = [
    ['a virtual account', { status: 'ready' }],
    ['a failed attempt', { status: 'failed' }],
    ['an account that was closed without a deposit', { status: 'cancelled' }],
  ];
  const cases = wrong.flatMap(([over, amount]) =>
    unpaid.map(([what, state]) => [what, over, { ...amount, ...state }] as const),
  );
  test.each(cases)('%s over %s is not stored, and nobody is told', (_what, _over, changes) => {
    const record = paymentRecord(changes);
    expect(judgePayment(evidence({ record }))).toEqual({
      outcome: 'unchanged',
      payment: { status: changes.status },
      discrepancies: [],
    });
  });

  const moved: [string, Partial<PaymentRecord>][] = [
    ['paid', { status: 'paid' }],
    ['given back', { status: 'cancelled', cancelAmount: 1 }],
    ['given back by what it says of its time', { status: 'cancelled', paidAt: new Date(0) }],
    ['failed with money given back', { status: 'failed', cancelAmount: 1 }],
  ];
  test.each(moved)('once money has moved it is a mismatch: %s', (_how, changes) => {
    const record = paymentRecord({ amount: 1, ...changes });
    expect(judgePayment(evidence({ record })).outcome).toBe('amount_mismatch');
  });

  test('of a payment that is stored it is a mismatch: what was verified is not what it was', () => {
    const record = paymentRecord({ status: 'ready', amount: 999 });
    const known = snapshotWith(paymentRecord({ status: 'ready' }), { status: 'awaiting_deposit' });
    expect(judgePayment(evidence({ record, snapshot: known })).outcome).toBe('amount_mismatch');
  });
});

describe('a payment of a test channel moves no money', () => {
  const evidenceOf = (acceptsTestPayments: boolean) => evidence({ channel: 'test', acceptsTestPayments });

  test('in production it is no payment of the order', () => {
    expect(judgePayment(evidenceOf(false))).toEqual({
      outcome: 'order_mismatch',
      discrepancies: [
        { kind: 'order_mismatch', expected: 'a live payment', actual: 'a payment of a test channel' },
      ],
    });
  });

  test('elsewhere it is recorded', () => {
    expect(judgePayment(evidenceOf(true)).outcome).toBe('recorded');
  });
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
    expect(judgePayment(evidence({ record: paymentRecord({ status: 'unknown' }) }))).toEqual({
      outcome: 'queued',
      reason: 'unknown_status',
      discrepancies: [],
    });
  });

  test('an amount without a currency', () => {
    expect(judgePayment(evidence({ record: paymentRecord({ currency: null }) }))).toEqual({
      outcome: 'queued',
      reason: 'currency_missing',
      discrepancies: [{ kind: 'needs_review', expected: 'KRW', actual: null }],
    });
  });

  test.each([
    ['more cancelled than paid', 1001, [], 'cancelled 1001'],
    ['a history with another sum', 300, [100, 100], 'cancelled 300, history 200'],
    ['a history that cannot be read', 300, [null], 'history without an amount'],
    ['a history of which a part cannot be read', 300, [300, null], 'history without an amount'],
  ])('%s', (_name, cancelAmount, history, actual) => {
    const record = paymentRecord({
      status: 'cancelled',
      cancelAmount,
      cancelHistory: history.map(cancelEntry),
    });
    expect(judgePayment(evidence({ record }))).toEqual({
      outcome: 'queued',
      reason: 'cancellation_contradicts',
      discrepancies: [{ kind: 'needs_review', expected: 'at most 1000', actual }],
    });
  });
});
