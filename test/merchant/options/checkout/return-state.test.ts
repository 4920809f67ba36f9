// The state shown to a returning customer, from the result of the sync and the stored rows.

import type { StoredOrder } from '../../../../src/merchant/core/orders/order-store';
import { depositAccount } from '../../../../src/merchant/core/payments/deposit-account';
import type { StoredPayment } from '../../../../src/merchant/core/payments/payment-store';
import type { SyncOutcome } from '../../../../src/merchant/core/payments/sync-payment';
import { returnState } from '../../../../src/merchant/options/checkout/return-state';

const NOW = new Date('2026-11-21T03:00:00Z');
const ACCOUNT = { vbankNum: '123-456', vbankName: 'Bank', vbankDate: new Date('2026-11-24T03:00:00Z') };

/** Only the fields that the page uses. */
function payment(fields: Partial<StoredPayment> = {}): StoredPayment {
  const paid = {
    status: 'paid',
    amount: 1000n,
    cancelAmount: 0n,
    counted: true,
    payMethod: 'card',
    paidAt: NOW,
  };
  return { ...paid, vbankNum: null, record: {}, ...fields } as StoredPayment;
}

type Stored = Partial<StoredPayment> | null;
function told(stored: Stored, order: StoredOrder['status'], outcome: SyncOutcome = 'unchanged') {
  return returnState(outcome, { status: order }, stored && payment(stored), NOW);
}

const cancelledInPart: Partial<StoredPayment> = { status: 'cancelled', cancelAmount: 999n };
const waits: Partial<StoredPayment> = { status: 'ready', ...ACCOUNT };

test.each<[string, string, Partial<StoredPayment>, StoredOrder['status']]>([
  ['paid', 'paid', {}, 'paid'],
  ['partly_refunded', 'refunded in part', { cancelAmount: 1n }, 'partially_cancelled'],
  ['partly_refunded', 'cancelled in part', cancelledInPart, 'partially_cancelled'],
  ['cancelled', 'refunded in full', { cancelAmount: 1000n }, 'cancelled'],
  ['cancelled', 'a refunded duplicate of another', { cancelAmount: 1000n }, 'paid'],
  ['cancelled_deposit', 'a refunded deposit', { cancelAmount: 1000n, payMethod: 'vbank' }, 'cancelled'],
  [
    'cancelled_other',
    'refunded, in another way',
    { cancelAmount: 1000n, payMethod: 'kakaopay' },
    'cancelled',
  ],
  ['cancelled_other', 'refunded, in a way not shown', { cancelAmount: 1000n, payMethod: null }, 'cancelled'],
  ['cancelled_unpaid', 'cancelled before it was paid', { status: 'cancelled', paidAt: null }, 'cancelled'],
  ['failed', 'failed', { status: 'failed' }, 'failed'],
  ['awaiting_deposit', 'waiting for its deposit', waits, 'awaiting_deposit'],
  ['awaiting_deposit', 'until the last moment', { ...waits, vbankDate: NOW }, 'awaiting_deposit'],
  ['awaiting_deposit', 'without end', { ...waits, vbankDate: null }, 'awaiting_deposit'],
  ['deposit_late', 'too late', { ...waits, vbankDate: new Date(+NOW - 1) }, 'awaiting_deposit'],
  ['deposit_over', 'of an order that is over', waits, 'cancelled'],
  ['not_known_yet', 'begun, and not ended in the window', { status: 'ready' }, 'awaiting_deposit'],
  ['checking', 'paid, but not for this order', { counted: false }, 'open'],
  ['failed', 'failed, and not for this order either', { status: 'failed', counted: false }, 'open'],
  // Another payment has paid, so the page does not ask to pay again.
  ['paid_otherwise', 'failed beside another that paid', { status: 'failed' }, 'paid'],
  ['paid_otherwise', 'waiting beside one refunded in part', waits, 'partially_cancelled'],
])('%s: a payment that is %s', (state, _, stored, order) => {
  expect(told(stored, order)).toBe(state);
});

test.each<[SyncOutcome, string]>([
  ['amount_mismatch', 'checking'],
  ['currency_mismatch', 'checking'],
  ['order_mismatch', 'not_known_yet'],
  ['unknown_order', 'not_known_yet'],
  ['unknown_payment', 'not_known_yet'],
])('a sync that ends in %s: %s, whatever is stored', (outcome, state) => {
  expect(told(null, 'open', outcome)).toBe(state);
  expect(told({}, 'paid', outcome)).toBe(state);
});

test('while the service cannot be asked, what was verified before is told, but for a failure', () => {
  expect(told({}, 'paid', 'queued')).toBe('paid');
  expect(told(waits, 'awaiting_deposit', 'queued')).toBe('awaiting_deposit');
  expect(told({ status: 'failed' }, 'failed', 'queued')).toBe('not_known_yet');
  expect(told(null, 'open', 'queued')).toBe('not_known_yet');
});

test('no deposit over another amount is requested, because it is not stored', () => {
  expect(told(null, 'open', 'recorded')).toBe('not_known_yet');
  expect(told(null, 'awaiting_deposit')).toBe('checking');
});

test('a bank without a name is shown by its code', () => {
  const fields = { ...ACCOUNT, vbankName: null, vbankCode: '088', vbankHolder: 'Shop' };
  const account = { bank: '088', number: '123-456', holder: 'Shop', until: ACCOUNT.vbankDate };
  expect(depositAccount(payment(fields))).toEqual(account);
});

test('without an account number there is no account', () => {
  expect(depositAccount(payment({ vbankName: 'Bank' }))).toBeNull();
});
