// Values that fit each other, of which a test changes what it is about.

import type { PaymentRecord } from '../../src/merchant/payment-service/records';
import type { Evidence, Snapshot } from '../../src/merchant/payments/judge-payment';

export function paymentRecord(changes: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    svcUid: 'svc_1',
    otherSvcUids: [],
    merchantUid: 'order-1',
    status: 'paid',
    rawStatus: 'paid',
    amount: 1000,
    cancelAmount: 0,
    currency: 'KRW',
    cancelHistory: [],
    payMethod: 'card',
    pgProvider: 'nice',
    pgTid: null,
    applyNum: null,
    cardName: null,
    cardNumber: null,
    customerUid: null,
    name: 'Tea',
    failReason: null,
    cancelReason: null,
    receiptUrl: null,
    startedAt: null,
    paidAt: null,
    failedAt: null,
    cancelledAt: null,
    raw: { status: 'paid', ...rawOf(changes) },
    ...changes,
  };
}

/** A raw record that differs where the record differs, as the service's own would. */
function rawOf({ status, amount, cancelAmount }: Partial<PaymentRecord>): Record<string, string | number> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(amount === undefined ? {} : { amount }),
    ...(cancelAmount === undefined ? {} : { cancel_amount: cancelAmount }),
  };
}

export function snapshot(
  changes: Partial<NonNullable<Snapshot['order']>> = {},
  rest: Partial<Snapshot> = {},
): Snapshot {
  return {
    order: {
      merchantUid: 'order-1',
      amount: 1000,
      currency: 'KRW',
      memberId: null,
      status: 'open',
      version: 0,
      ...changes,
    },
    payments: [],
    storedUnder: null,
    ...rest,
  };
}

/** The snapshot in which a record is stored already. */
export function snapshotWith(
  record: PaymentRecord,
  order: Partial<NonNullable<Snapshot['order']>> = {},
): Snapshot {
  const { svcUid, status, amount, cancelAmount, raw } = record;
  if (status === 'unknown') throw new Error('no payment of unknown status is ever stored');
  return snapshot(order, {
    payments: [{ svcUid, status, amount, cancelAmount, counted: true, record: raw }],
    storedUnder: record.merchantUid,
  });
}

export function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    claim: { svcUid: 'svc_1', merchantUid: 'order-1' },
    snapshot: snapshot(),
    record: paymentRecord(),
    keyOwner: null,
    confirmed: false,
    fromTestButton: false,
    ...changes,
  };
}
