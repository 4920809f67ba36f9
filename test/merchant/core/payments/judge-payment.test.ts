// The verification refuses false payments, and leaves undecided ones open.

import { judgePayment, type Evidence } from '../../../../src/merchant/core/payments/judge-payment';
import type { PaymentRecord } from '../../../../src/merchant/payment-service/records/payment-record';
import { cancelEntry, evidence, paymentRecord, snapshot, snapshotWith } from '../../../support/builders';

const shown = (changes: Partial<PaymentRecord>) => ({ record: paymentRecord(changes) });
const noOrder = { ...snapshot(), order: null };
const elsewhere = snapshot({}, { storedUnder: 'order-9' });

type Text = string | null;
function expectRefused(changes: Partial<Evidence>, kind: string, expected: Text, actual: Text) {
  const refused = { outcome: kind, discrepancies: [{ kind, expected, actual }] };
  expect(judgePayment(evidence(changes))).toEqual(refused);
}

function expectHeld(changes: Partial<Evidence>, reason: string, expected: string, actual: Text) {
  const discrepancies = [{ kind: 'needs_review', expected, actual }];
  expect(judgePayment(evidence(changes))).toEqual({ outcome: 'queued', reason, discrepancies });
}

describe('what is false is refused', () => {
  test.each<[string, Partial<Evidence>, string, Text, Text]>([
    ['a payment that the service does not know', { record: null }, 'unknown_payment', 'svc_1', null],
    ['one stored under another order', { snapshot: elsewhere }, 'order_mismatch', 'order-9', 'order-1'],
    ['one of an order that nobody registered', { snapshot: noOrder }, 'unknown_order', null, '1000 KRW'],
  ])('%s', (_name, changes, outcome, expected, actual) => {
    expectRefused(changes, outcome, expected, actual);
  });

  test.each([
    ['one won too little', 999],
    ['one won too much', 1001],
  ])('an amount that is not the order’s is never recorded: %s', (_name, amount) => {
    expectRefused(shown({ amount }), 'amount_mismatch', '1000 KRW', `${amount} KRW`);
  });

  test('C7 an answer about another payment is refused and reported', () => {
    expectRefused(shown({ svcUid: 'svc_2' }), 'order_mismatch', 'svc_1', 'svc_2');
  });

  test('C8 a payment of one order that is notified for another pays for neither', () => {
    expectRefused(shown({ merchantUid: 'order-2' }), 'order_mismatch', 'order-1', 'order-2');
  });

  test('C12 1,000 dollars do not pay an order of 1,000 won', () => {
    expectRefused(shown({ currency: 'USD' }), 'currency_mismatch', 'KRW', 'USD');
  });

  test('C9 an amount that changes at the service after it was stored is not stored', () => {
    for (const status of ['paid', 'ready'] as const) {
      const known = snapshotWith(paymentRecord({ status }));
      const changed = { ...shown({ status, amount: 1 }), snapshot: known };
      expectRefused(changed, 'amount_mismatch', '1000 KRW', '1 KRW');
    }
  });
});

describe('over another amount or currency, and nothing is paid', () => {
  test.each([
    ['a virtual account', 'ready'],
    ['a failed attempt', 'failed'],
    ['an account that was closed without a deposit', 'cancelled'],
  ] as const)('%s is neither stored nor reported', (_what, status) => {
    const unchanged = { outcome: 'unchanged', payment: { status }, discrepancies: [] };
    for (const wrong of [{ amount: 1 }, { currency: 'USD' }])
      expect(judgePayment(evidence(shown({ status, ...wrong })))).toEqual(unchanged);
  });

  test.each<[string, Partial<PaymentRecord>]>([
    ['paid', { status: 'paid' }],
    ['given back', { status: 'cancelled', cancelAmount: 1 }],
    ['given back by what it says of its time', { status: 'cancelled', paidAt: new Date(0) }],
    ['failed with money given back', { status: 'failed', cancelAmount: 1 }],
  ])('a wrong amount is a mismatch once money has moved: %s', (_how, changes) => {
    expect(judgePayment(evidence(shown({ amount: 1, ...changes }))).outcome).toBe('amount_mismatch');
  });
});

describe('a payment of 0 issues a key', () => {
  const issuance = { snapshot: noOrder, ...shown({ amount: 0, customerUid: 'member-1-a' }) };
  const unknownKey = { kind: 'unknown', customerUid: 'member-1-a', expected: 'a member' } as const;

  test.each([
    ['no key', null],
    ['one that is stored', { kind: 'adopted' }],
  ] as const)('nothing changes: %s', (_which, issuedKey) => {
    const unchanged = { outcome: 'unchanged', payment: { status: 'paid' }, discrepancies: [] };
    expect(judgePayment(evidence({ ...issuance, issuedKey }))).toEqual(unchanged);
  });

  test('a key of nobody is reported', () => {
    expectRefused({ ...issuance, issuedKey: unknownKey }, 'unknown_billing_key', 'a member', 'member-1-a');
    const paid = judgePayment(evidence({ issuedKey: unknownKey }));
    expect(paid).toMatchObject({ outcome: 'recorded', discrepancies: [{ kind: 'unknown_billing_key' }] });
  });

  test.each<[string, Partial<PaymentRecord>, actual: string | null]>([
    ['an amount', { amount: 1 }, '1 KRW'],
    ['no key', { customerUid: null }, '0 KRW'],
    ['a status that is not in the document', { status: 'unknown' }, '0 KRW'],
    ['no key and no currency', { customerUid: null, currency: null }, null],
  ])('with %s it is a payment of an order that nobody registered', (_what, changes, actual) => {
    const record = { ...issuance.record, ...changes };
    expectRefused({ ...issuance, record }, 'unknown_order', null, actual);
  });
});

test.each([
  ['test', 'order_mismatch', 'a payment of a test channel'],
  ['not_shown', 'unknown_payment', 'a payment that shows no channel'],
] as const)(
  'a channel that is %s pays for no order in production and pays elsewhere',
  (channel, outcome, actual) => {
    expectRefused({ channel, acceptsTestPayments: false }, outcome, 'a live payment', actual);
    expect(judgePayment(evidence({ channel })).outcome).toBe('recorded');
    expect(judgePayment(evidence({ acceptsTestPayments: false })).outcome).toBe('recorded');
  },
);

test('an order with a member is not paid while the payer is not known', () => {
  const ofMember = { snapshot: snapshot({ memberId: 'member-1' }), showsPayer: false };
  expectHeld(ofMember, 'payer_not_shown', 'the billing key that paid', null);
  expect(judgePayment(evidence({ showsPayer: false })).outcome).toBe('recorded');
});

describe('what cannot be judged waits', () => {
  test('a status that is not in the document', () => {
    const queued = { outcome: 'queued', reason: 'unknown_status', discrepancies: [] };
    expect(judgePayment(evidence(shown({ status: 'unknown' })))).toEqual(queued);
  });

  test('C13 an amount without a currency is held for review', () => {
    expectHeld(shown({ currency: null }), 'currency_missing', 'KRW', null);
  });

  test('C22 a payment with more cancelled than paid is held for review', () => {
    const changes = { status: 'cancelled', cancelAmount: 1001 } as const;
    expectHeld(shown(changes), 'cancellation_contradicts', 'at most 1000', 'cancelled 1001');
  });

  test.each([
    ['of another sum', [100, 100], 'cancelled 300, history 200'],
    ['that cannot be read', [null], 'history without an amount'],
    ['of which a part cannot be read', [300, null], 'history without an amount'],
  ])('a history of cancellations %s', (_name, history, actual) => {
    const cancelHistory = history.map(cancelEntry);
    const changes = { status: 'cancelled', cancelAmount: 300, cancelHistory } as const;
    expectHeld(shown(changes), 'cancellation_contradicts', 'at most 1000', actual);
  });
});
