// Creates a payment and fills in the values that the request leaves out.

import type { Payment } from './payment';

type Draft = Omit<Payment, 'sequence' | 'svcUid' | 'sandbox'>;
type Given = Pick<Draft, 'merchantUid' | 'amount' | 'channel' | 'status'> & Partial<Draft>;

/** The status is final for a payment by card; a virtual account is `ready` until its deposit. */
export function startPayment(given: Given, now: number): Draft {
  return {
    merchantUid: given.merchantUid,
    amount: given.amount,
    currency: given.currency ?? 'KRW',
    name: given.name ?? null,
    payMethod: given.payMethod ?? 'card',
    channel: given.channel,
    pgProvider: given.pgProvider ?? 'nice',
    embPgProvider: given.embPgProvider ?? null,
    pgId: given.pgId ?? 'sandbox_mid',
    card: given.card ?? null,
    cardQuota: given.cardQuota ?? 0,
    taxFree: given.taxFree ?? 0,
    virtualAccountUntil: given.virtualAccountUntil ?? 0,
    buyer: given.buyer ?? null,
    customData: given.customData ?? null,
    escrow: given.escrow ?? false,
    cashReceiptIssued: given.cashReceiptIssued ?? false,
    customerUid: given.customerUid ?? null,
    customerUidUsage: given.customerUidUsage ?? null,
    noticeUrls: given.noticeUrls ?? [],
    status: given.status,
    failReason: given.failReason ?? null,
    cancellations: [],
    startedAt: now,
    paidAt: given.status === 'paid' ? now : 0,
    failedAt: given.status === 'failed' ? now : 0,
    cancelledAt: 0,
    updatedAt: now,
  };
}
