// The judgement refuses what is false, records what fits, and holds back what it cannot decide.

import fc from 'fast-check';
import type { PaymentRecord } from '../../../src/merchant/payment-service/records/payment-record';
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
    expect(judgePayment(evidence({ record, snapshot: snapshotWith(record) }))).toEqual({
      outcome: 'unchanged',
      payment: { status: 'paid' },
      discrepancies: [],
    });
  });

  test('the same record of a payment that had gone back is written again', () => {
    const record = paymentRecord();
    const [payment] = snapshotWith(record).payments;
    if (!payment) throw new Error('there is a payment');
    const payments = [{ ...payment, wentBackAt: '2026-11-21T00:00:00.000Z' }];
    expect(judgePayment(evidence({ record, snapshot: snapshot({}, { payments }) }))).toMatchObject({
      outcome: 'recorded',
      discrepancies: [],
    });
  });

  test('of a payment that is stored, what is shown now counts, and not what was stored of it', () => {
    const snapshotNow = snapshotWith(paymentRecord(), { status: 'paid' });
    const record = paymentRecord({ status: 'cancelled', cancelAmount: 1000 });
    expect(judgePayment(evidence({ record, snapshot: snapshotNow }))).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'cancelled',
      discrepancies: [],
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

  test.each(['cancelled', 'closed'] as const)('money for an order that had been %s', (status) => {
    const verdict = judgePayment(evidence({ snapshot: snapshot({ status }) }));
    expect(verdict).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      discrepancies: [{ kind: 'paid_after_close', expected: status, actual: '1000 KRW' }],
    });
  });

  test('a deposit into the account of an order that had been closed meanwhile', () => {
    const account = paymentRecord({ status: 'ready' });
    const verdict = judgePayment(evidence({ snapshot: snapshotWith(account, { status: 'closed' }) }));
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
      discrepancies: [
        {
          kind: 'foreign_billing_key',
          expected: 'a key of the order’s member',
          actual: 'a key of another member',
        },
      ],
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

describe('what fits and is not odd is recorded without a word', () => {
  test.each([
    ['the key of the member whom the order names', 'member-1', 'member-1'],
    ['a key of which nobody knows the owner', 'member-1', null],
    ['anybody’s key for an order that names no member', null, 'member-2'],
    ['no key for an order that names no member', null, null],
  ])('paid with %s', (_name, memberId, keyOwner) => {
    const verdict = judgePayment(evidence({ snapshot: snapshot({ memberId }), keyOwner }));
    expect(verdict).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      payment: { counted: true },
      discrepancies: [],
    });
  });

  test.each(['cancelled', 'closed'] as const)('a failed attempt to pay an order that is %s', (status) => {
    const record = paymentRecord({ status: 'failed' });
    expect(judgePayment(evidence({ record, snapshot: snapshot({ status }) }))).toMatchObject({
      outcome: 'recorded',
      discrepancies: [],
    });
  });

  test('a failed attempt to pay an order that is paid', () => {
    const before = {
      ...snapshotWith(paymentRecord({ svcUid: 'svc_0' }), { status: 'paid' }),
      storedUnder: null,
    };
    const record = paymentRecord({ status: 'failed' });
    expect(judgePayment(evidence({ record, snapshot: before }))).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      discrepancies: [],
    });
  });

  test('another word about money that was held before, of an order that was closed and is paid', () => {
    const stored = snapshotWith(paymentRecord(), { status: 'closed' });
    const record = paymentRecord({ cancelAmount: 300 });
    expect(judgePayment(evidence({ record, snapshot: stored }))).toMatchObject({
      outcome: 'recorded',
      discrepancies: [],
    });
  });
});

describe('how far a payment has got', () => {
  type State = Pick<PaymentRecord, 'status' | 'cancelAmount'>;
  /** In each row the states that are as far as each other; a later row is further. */
  const STEPS: State[][] = [
    [
      { status: 'ready', cancelAmount: 0 },
      { status: 'failed', cancelAmount: 0 },
    ],
    [{ status: 'paid', cancelAmount: 0 }],
    [
      { status: 'paid', cancelAmount: 300 },
      { status: 'cancelled', cancelAmount: 300 },
    ],
    [{ status: 'cancelled', cancelAmount: 1000 }],
    // It was never paid, and nothing follows.
    [{ status: 'cancelled', cancelAmount: 0 }],
  ];
  const states = STEPS.flatMap((row, step) => row.map((state) => ({ state, step })));
  const text = ({ status, cancelAmount }: State) => `${status}, ${cancelAmount} cancelled`;
  const pairs = states.flatMap((before) =>
    states
      .filter((after) => after !== before)
      .map((after) => ({
        before: before.state,
        after: after.state,
        from: text(before.state),
        to: text(after.state),
        isBack: after.step < before.step,
      })),
  );

  test.each(pairs)('from "$from" to "$to" is a step back: $isBack', ({ before, after, isBack }) => {
    const shown = {
      record: paymentRecord(after),
      snapshot: snapshotWith(paymentRecord(before)),
    };
    const verdict = judgePayment(evidence(shown));
    expect(verdict.outcome).toBe(isBack ? 'needs_confirmation' : 'recorded');
    const confirmed = judgePayment(evidence({ ...shown, confirmed: true }));
    const told = 'discrepancies' in confirmed ? confirmed.discrepancies : [];
    expect(told.filter(({ kind }) => kind === 'status_went_back')).toEqual(
      isBack ? [{ kind: 'status_went_back', expected: before.status, actual: after.status }] : [],
    );
  });

  test('another word about what is not further is no step back', () => {
    const snapshotNow = snapshotWith(paymentRecord());
    const record = { ...paymentRecord(), raw: { name: 'Green tea' } };
    expect(judgePayment(evidence({ record, snapshot: snapshotNow }))).toMatchObject({
      outcome: 'recorded',
      discrepancies: [],
    });
  });
});
