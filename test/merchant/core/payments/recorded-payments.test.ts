// The verification records matching payments, updates the order, and reports irregularities.

import { judgePayment, type Evidence } from '../../../../src/merchant/core/payments/judge-payment';
import type { Snapshot } from '../../../../src/merchant/core/payments/payment-store';
import type { PaymentRecord } from '../../../../src/merchant/payment-service/records/payment-record';
import { cancelEntry, evidence, paymentRecord, snapshot, snapshotWith } from '../../../support/builders';

const paid = paymentRecord();
const ready = paymentRecord({ status: 'ready' });
const failed = paymentRecord({ status: 'failed' });
const partlyRefunded = paymentRecord({ cancelAmount: 300 });
const refunded = paymentRecord({ status: 'cancelled', cancelAmount: 1000 });
const partlyCancelled = paymentRecord({
  ...partlyRefunded,
  status: 'cancelled',
  cancelHistory: [cancelEntry(300)],
});
const ofMember = snapshot({ memberId: 'member-1' });

/** Another payment of the order is stored. */
function beside(changes: Partial<PaymentRecord>, order: Parameters<typeof snapshot>[0] = {}): Snapshot {
  const other = paymentRecord({ svcUid: 'svc_0', ...changes });
  return { ...snapshotWith(other, order), storedUnder: null };
}

/** The payments of a snapshot are stored with other fields. */
function stored(known: Snapshot, fields: Partial<Snapshot['payments'][number]>): Snapshot {
  return { ...known, payments: known.payments.map((payment) => ({ ...payment, ...fields })) };
}
const hasRegressed = stored(snapshotWith(paid), { regressedAt: '2026-11-21T00:00:00.000Z' });
const closed = snapshotWith(paid, { status: 'closed' });
const besideForeign = stored(beside({}, { memberId: 'member-1' }), { counted: false });
const ofOwnKey = { snapshot: besideForeign, keyOwner: 'member-1' };
const cancelledBefore = beside({ status: 'cancelled', cancelAmount: 1000 }, { status: 'cancelled' });

describe('what fits and is not odd is recorded without a word, and moves the order', () => {
  test.each<[string, Partial<Evidence>, string]>([
    ['paid', {}, 'paid'],
    ['a virtual account that waits', { record: ready }, 'awaiting_deposit'],
    ['failed', { record: failed }, 'failed'],
    ['cancelled in full', { record: refunded }, 'cancelled'],
    ['cancelled, without an amount', { record: paymentRecord({ status: 'cancelled' }) }, 'cancelled'],
    ['cancelled in part', { record: partlyCancelled }, 'partially_cancelled'],
    ['cancelled, after it was paid', { record: refunded, snapshot: snapshotWith(paid) }, 'cancelled'],
    ['another word about it', { record: { ...paid, raw: {} }, snapshot: snapshotWith(paid) }, 'paid'],
    ['as before, after it had gone back', { snapshot: hasRegressed }, 'paid'],
    ['failed, of a closed order', { record: failed, snapshot: snapshot({ status: 'closed' }) }, 'closed'],
    ['failed, of a cancelled order', { record: failed, snapshot: cancelledBefore }, 'cancelled'],
    ['failed, of a paid order', { record: failed, snapshot: beside({}, { status: 'paid' }) }, 'paid'],
    [
      'given back in part, after a close',
      { record: partlyRefunded, snapshot: closed },
      'partially_cancelled',
    ],
    ['with the key of the order’s member', { snapshot: ofMember, keyOwner: 'member-1' }, 'paid'],
    ['with a key of which nobody knows the owner', { snapshot: ofMember, keyOwner: null }, 'paid'],
    ['with anybody’s key for an order that names no member', { keyOwner: 'member-2' }, 'paid'],
    ['the member’s own payment beside one with the key of another member', ofOwnKey, 'paid'],
  ])('%s', (_name, changes, orderStatus) => {
    expect(judgePayment(evidence(changes))).toMatchObject({
      outcome: 'recorded',
      orderStatus,
      payment: { counted: true },
      discrepancies: [],
    });
  });

  test('the event of the order has the refunded amount before and after', () => {
    const known = snapshotWith(partlyRefunded, { status: 'partially_cancelled' });
    expect(judgePayment(evidence({ record: refunded, snapshot: known }))).toMatchObject({
      refunded: { before: 300, now: 1000 },
      event: 'order.cancelled',
    });
    const second = evidence({ record: paid, snapshot: beside({}, { status: 'paid' }) });
    expect(judgePayment(second)).toMatchObject({ event: null });
  });

  test('the same record again changes nothing', () => {
    const unchanged = { outcome: 'unchanged', payment: { status: 'paid' }, discrepancies: [] };
    expect(judgePayment(evidence({ snapshot: snapshotWith(paid) }))).toEqual(unchanged);
  });

  test('an order with a failed and then a paid payment is paid', () => {
    const recorded = { outcome: 'recorded', orderStatus: 'paid', discrepancies: [] };
    expect(judgePayment(evidence({ snapshot: beside({ status: 'failed' }) }))).toMatchObject(recorded);
  });

  test('a late notification of an earlier transaction of the newer generation records the primary one', () => {
    const record = paymentRecord({ svcUid: 'tx_2', otherSvcUids: ['svc_1'] });
    const recorded = { outcome: 'recorded', payment: { record: { svcUid: 'tx_2' } } };
    expect(judgePayment(evidence({ record }))).toMatchObject(recorded);
  });
});

describe('what fits and is odd is recorded and told', () => {
  test('C19 a second payment of a paid order is stored and reported', () => {
    expect(judgePayment(evidence({ snapshot: beside({}, { status: 'paid' }) }))).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'paid',
      discrepancies: [{ kind: 'duplicate_payment', expected: 'one payment', actual: '1000 KRW' }],
    });
  });

  test('C24 a payment of a cancelled order is stored and reported', () => {
    for (const [status, known] of [
      ['cancelled', snapshot({ status: 'cancelled' })],
      ['closed', snapshot({ status: 'closed' })],
      // A deposit into an account that was opened before.
      ['closed', snapshotWith(ready, { status: 'closed' })],
    ] as const)
      expect(judgePayment(evidence({ snapshot: known }))).toMatchObject({
        outcome: 'recorded',
        orderStatus: 'paid',
        discrepancies: [{ kind: 'paid_after_close', expected: status, actual: '1000 KRW' }],
      });
  });

  test('a payment with another member’s key is stored and does not pay for the order', () => {
    const [expected, actual] = ['a key of the order’s member', 'a key of another member'];
    expect(judgePayment(evidence({ snapshot: ofMember, keyOwner: 'member-2' }))).toMatchObject({
      outcome: 'recorded',
      orderStatus: 'open',
      payment: { counted: false },
      discrepancies: [{ kind: 'foreign_billing_key', expected, actual }],
    });
  });
});

describe('how far a payment has got', () => {
  const STATES: [step: number, status: PaymentRecord['status'], cancelAmount: number][] = [
    [0, 'ready', 0],
    [0, 'failed', 0],
    [1, 'paid', 0],
    [2, 'paid', 300],
    [2, 'cancelled', 300],
    [3, 'cancelled', 1000],
    // It was never paid, so nothing changes.
    [4, 'cancelled', 0],
  ];
  const states = STATES.map(([step, status, cancelAmount]) => ({
    step,
    record: paymentRecord({ status, cancelAmount }),
  }));

  test.each(states)('beside $record.status, $record.cancelAmount cancelled', ({ record: before, step }) => {
    for (const { record: after, step: stepNow } of states.filter(({ record }) => record !== before)) {
      const isBack = stepNow < step;
      const shown = { record: after, snapshot: snapshotWith(before) };
      const verdict = judgePayment(evidence(shown));
      if (isBack) expect(verdict).toEqual({ outcome: 'needs_confirmation', svcUid: 'svc_1' });
      else expect(verdict.outcome).toBe('recorded');
      const confirmed = judgePayment(evidence({ ...shown, confirmed: true }));
      const told = 'discrepancies' in confirmed ? confirmed.discrepancies : [];
      const regressedTo = { kind: 'status_went_back', expected: before.status, actual: after.status };
      expect(told.filter(({ kind }) => kind === 'status_went_back')).toEqual(isBack ? [regressedTo] : []);
    }
  });
});
