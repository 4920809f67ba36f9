// The judgement records what fits, moves the order by it, and tells what is odd about it.

import type { PaymentRecord } from '../../../src/merchant/payment-service/records/payment-record';
import { judgePayment } from '../../../src/merchant/payments/judge-payment';
import { cancelEntry, evidence, paymentRecord, snapshot, snapshotWith } from '../../support/builders';

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

test('the member’s own payment beside one with the key of another member pays, and is no second one', () => {
  const foreign = snapshotWith(paymentRecord({ svcUid: 'svc_0' }), { memberId: 'member-1' });
  const payments = foreign.payments.map((payment) => ({ ...payment, counted: false }));
  const record = paymentRecord({ customerUid: 'card-of-1' });
  const known = { ...foreign, payments, storedUnder: null };
  expect(judgePayment(evidence({ record, snapshot: known, keyOwner: 'member-1' }))).toMatchObject({
    outcome: 'recorded',
    orderStatus: 'paid',
    discrepancies: [],
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
