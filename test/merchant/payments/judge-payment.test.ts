// The judgement refuses what is false, records what fits, and holds back what it cannot decide.

import fc from 'fast-check';
import { judgePayment, type Evidence } from '../../../src/merchant/payments/judge-payment';
import { evidence, paymentRecord, snapshot, snapshotWith } from '../../support/builders';
import { holds } from '../../support/property';

const cancelEntry = (amount: number | null) => ({
  pgTid: null,
  amount,
  cancelledAt: null,
  reason: null,
  receiptUrl: null,
});

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

describe('a payment of a test channel moves no money', () => {
  const evidenceOf = (acceptsTestPayments: boolean) =>
    evidence({ record: paymentRecord({ isTest: true }), acceptsTestPayments });

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
  expect(judgePayment(ofMember)).toMatchObject({ outcome: 'queued', reason: 'payer_not_shown' });
  expect(judgePayment(evidence({ showsPayer: false })).outcome).toBe('recorded');
});

describe('what cannot be judged waits', () => {
  test.each([
    ['a status that the document does not name', { status: 'unknown' as const }, 'unknown_status', []],
    ['an amount without a currency', { currency: null }, 'currency_missing', ['needs_review']],
    [
      'more cancelled than paid',
      { status: 'cancelled' as const, cancelAmount: 1001 },
      'cancellation_contradicts',
      ['needs_review'],
    ],
    [
      'a history with another sum',
      {
        status: 'cancelled' as const,
        cancelAmount: 300,
        cancelHistory: [cancelEntry(100), cancelEntry(100)],
      },
      'cancellation_contradicts',
      ['needs_review'],
    ],
    [
      'a history that cannot be read',
      { status: 'cancelled' as const, cancelAmount: 300, cancelHistory: [cancelEntry(null)] },
      'cancellation_contradicts',
      ['needs_review'],
    ],
  ])('%s', (_name, changes, reason, kinds) => {
    const verdict = judgePayment(evidence({ record: paymentRecord(changes) }));
    expect(verdict).toMatchObject({ outcome: 'queued', reason });
    expect('discrepancies' in verdict && verdict.discrepancies.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('what fits is recorded and moves the order', () => {
  test.each([
    ['paid', paymentRecord(), 'paid'],
    ['a virtual account that waits', paymentRecord({ status: 'ready' }), 'awaiting_deposit'],
    ['failed', paymentRecord({ status: 'failed' }), 'failed'],
    ['cancelled in full', paymentRecord({ status: 'cancelled', cancelAmount: 1000 }), 'cancelled'],
    ['cancelled, without an amount', paymentRecord({ status: 'cancelled' }), 'cancelled'],
    [
      'cancelled in part',
      paymentRecord({ status: 'cancelled', cancelAmount: 300, cancelHistory: [cancelEntry(300)] }),
      'partially_cancelled',
    ],
  ])('%s', (_name, record, orderStatus) => {
    expect(judgePayment(evidence({ record }))).toMatchObject({
      outcome: 'recorded',
      orderStatus,
      discrepancies: [],
    });
  });

  test('the same record again changes nothing', () => {
    const record = paymentRecord();
    expect(judgePayment(evidence({ record, snapshot: snapshotWith(record) }))).toMatchObject({
      outcome: 'unchanged',
    });
  });

  test('a failed attempt and then a paid one: the order is paid', () => {
    const failed = paymentRecord({ svcUid: 'svc_0', status: 'failed' });
    const verdict = judgePayment(
      evidence({ snapshot: { ...snapshotWith(failed), storedUnder: null, hasOpenDoubt: false, pauses: [] } }),
    );
    expect(verdict).toMatchObject({ outcome: 'recorded', orderStatus: 'paid', discrepancies: [] });
  });
});

test('a late word about an earlier attempt of the newer generation records the transaction that counts', () => {
  const record = paymentRecord({ svcUid: 'tx_2', otherSvcUids: ['svc_1'] });
  expect(judgePayment(evidence({ record }))).toMatchObject({
    outcome: 'recorded',
    payment: { record: { svcUid: 'tx_2' } },
  });
});

describe('what fits and is odd is recorded and told', () => {
  test('a second payment of a paid order', () => {
    const first = paymentRecord({ svcUid: 'svc_0' });
    const verdict = judgePayment(
      evidence({
        snapshot: {
          ...snapshotWith(first, { status: 'paid' }),
          storedUnder: null,
          hasOpenDoubt: false,
          pauses: [],
        },
      }),
    );
    expect(verdict).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      discrepancies: [{ kind: 'duplicate_payment', expected: 'one payment', actual: '1000 KRW' }],
    });
  });

  test('money for an order that had been cancelled', () => {
    const verdict = judgePayment(evidence({ snapshot: snapshot({ status: 'cancelled' }) }));
    expect(verdict).toMatchObject({ outcome: 'recorded', discrepancies: [{ kind: 'paid_after_close' }] });
  });

  test('a payment with the key of another member is kept, and does not pay for the order', () => {
    const verdict = judgePayment(
      evidence({
        snapshot: snapshot({ memberId: 'member-1' }),
        record: paymentRecord({ customerUid: 'card-of-2' }),
        keyOwner: 'member-2',
      }),
    );
    expect(verdict).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'open',
      payment: { counted: false },
      discrepancies: [{ kind: 'foreign_billing_key' }],
    });
  });

  test('a service that is behind what is stored is asked again, then believed', () => {
    const stored = paymentRecord({ status: 'cancelled', cancelAmount: 1000 });
    const behind = {
      record: paymentRecord(),
      snapshot: snapshotWith(stored, { status: 'cancelled' as const }),
    };
    expect(judgePayment(evidence(behind))).toEqual({ outcome: 'needs_confirmation', svcUid: 'svc_1' });
    expect(judgePayment(evidence({ ...behind, confirmed: true }))).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      discrepancies: expect.arrayContaining([expect.objectContaining({ kind: 'status_went_back' })]),
    });
  });
});
