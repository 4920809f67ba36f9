// One payment as the service stores it. Values that follow from these fields (receipts, approval numbers, bank names) are
// computed in payment-record.ts.

import type { Card } from '../billing-keys/card';

/** The order of this list is part of the saved state. */
export const PAYMENT_STATUSES = ['ready', 'paid', 'cancelled', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type Payment = {
  /** Order of creation; decides the order of payments with equal times. */
  readonly sequence: number;
  readonly svcUid: string;
  merchantUid: string;
  amount: number;
  currency: string;
  name: string | null;
  payMethod: string;
  channel: 'pc' | 'mobile' | 'api';
  pgProvider: string;
  /** The PG behind `pgProvider`, for an easy-pay method; null if there is none. */
  embPgProvider: string | null;
  pgId: string;
  card: Card | null;
  cardQuota: number;
  /** The tax-free part of `amount`. */
  taxFree: number;
  /** UNIX seconds until which money can be paid in; 0 if no virtual account was issued. */
  virtualAccountUntil: number;
  buyer: Buyer | null;
  customData: string | null;
  escrow: boolean;
  cashReceiptIssued: boolean;
  /** Made through a test channel (§4.4). Set when the payment is made; later changes of the setting do not affect it. */
  sandbox: boolean;
  customerUid: string | null;
  customerUidUsage: 'issue' | 'payment' | 'payment.scheduled' | null;
  /** Notification URLs of this payment's request; they override the setting (§6.3). */
  noticeUrls: readonly string[];
  status: PaymentStatus;
  failReason: string | null;
  cancellations: readonly Cancellation[];
  /** UNIX seconds, 0 for never. */
  startedAt: number;
  paidAt: number;
  failedAt: number;
  cancelledAt: number;
  updatedAt: number;
};

export type Buyer = {
  name: string | null;
  email: string | null;
  tel: string | null;
  addr: string | null;
  postcode: string | null;
};

/** `taxFree` is the tax-free part of its amount. */
export type Cancellation = { amount: number; taxFree: number; at: number; reason: string };

export const cancelledAmount = (payment: Payment) =>
  payment.cancellations.reduce((sum, { amount }) => sum + amount, 0);

/** What can still be cancelled of a paid payment, and the tax-free part of it. */
export function balanceOf(payment: Payment): { amount: number; taxFree: number } {
  const cancelledTaxFree = payment.cancellations.reduce((sum, { taxFree }) => sum + taxFree, 0);
  return { amount: payment.amount - cancelledAmount(payment), taxFree: payment.taxFree - cancelledTaxFree };
}
