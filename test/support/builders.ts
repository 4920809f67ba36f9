// Consistent default values, and generators for properties. A test changes only the values that it is about.

import fc from 'fast-check';
import type { OrderStatus } from '../../src/generated/prisma/client';
import type { Evidence, Verdict } from '../../src/merchant/core/payments/judge-payment';
import type { Snapshot } from '../../src/merchant/core/payments/payment-store';
import { readPayment, type PaymentRecord } from '../../src/merchant/payment-service/records/payment-record';

/** A payment of 1000 won as the service would answer it. Changes also apply to its raw record. */
export function paymentRecord(changes: Partial<PaymentRecord> = {}): PaymentRecord {
  const { status = 'paid', amount = 1000, cancelAmount = 0 } = changes;
  const payload = {
    svc_uid: 'svc_1',
    merchant_uid: 'order-1',
    status,
    amount,
    cancel_amount: cancelAmount,
    currency: 'KRW',
    pay_method: 'card',
    pg_provider: 'nice',
    name: 'Tea',
  };
  const invalidResponse = (detail: string): never => {
    throw new Error(detail);
  };
  return { ...readPayment({ payload, invalidResponse }), ...changes };
}

/** One cancellation of a payment's record, with only its amount. */
export const cancelEntry = (amount: number | null) => ({
  pgTid: null,
  amount,
  cancelledAt: null,
  reason: null,
  receiptUrl: null,
});

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
      isErased: false,
      ...changes,
    },
    payments: [],
    storedUnder: null,
    hasOpenUntilMatch: false,
    pauses: [],
    ...rest,
  };
}

/** The snapshot in which a record is stored already. */
export function snapshotWith(
  record: PaymentRecord,
  order: Partial<NonNullable<Snapshot['order']>> = {},
): Snapshot {
  return snapshot(order, { payments: [toStored(record, true)], storedUnder: record.merchantUid });
}

export function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    reported: { svcUid: 'svc_1', merchantUid: 'order-1' },
    snapshot: snapshot(),
    record: paymentRecord(),
    showsPayer: true,
    channel: 'live',
    keyOwner: null,
    issuedKey: null,
    acceptsTestPayments: true,
    confirmed: false,
    ...changes,
  };
}

export type Books = Pick<Snapshot, 'order' | 'payments'>;

/** Certain evidence that there is no payment. */
export const certain = evidence({ record: null, acceptsTestPayments: false });

/** The books after the write of a verdict, as `payments/payment-store.ts` does it. */
export function write(books: Books, verdict: Verdict): Books {
  if (verdict.outcome !== 'recorded' || books.order === null)
    return { order: books.order, payments: books.payments };
  const { record: shown, counted } = verdict.payment;
  return {
    order: { ...books.order, status: verdict.orderStatus },
    payments: [...books.payments.filter((each) => each.svcUid !== shown.svcUid), toStored(shown, counted)],
  };
}

function toStored({ svcUid, status, amount, cancelAmount, raw }: PaymentRecord, counted: boolean) {
  if (status === 'unknown') throw new Error('no payment of unknown status is ever stored');
  return { svcUid, status, amount, cancelAmount, counted, record: raw, regressedAt: null };
}

/** Stored statuses of payments. */
export const paymentStatus = fc.constantFrom(
  'ready' as const,
  'paid' as const,
  'cancelled' as const,
  'failed' as const,
);
export const orderStatusNow = fc.constantFrom<OrderStatus>(
  ...(['open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed', 'closed'] as const),
);
