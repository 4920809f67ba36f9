// One payment as the service keeps it. What a PG would add and what follows from the rest (receipts, approval
// numbers, bank names) is not kept but made in payment-record.ts, so that a million of these fit in memory.
import type { Card } from '../billing-keys/card';

export type PaymentStatus = 'ready' | 'paid' | 'cancelled' | 'failed';

export type Payment = {
  /** Order of creation; breaks ties of equal times. */
  readonly sequence: number;
  readonly svcUid: string;
  merchantUid: string;
  amount: number;
  currency: string;
  name: string | null;
  payMethod: string;
  channel: 'pc' | 'mobile' | 'api';
  pgProvider: string;
  pgId: string;
  card: Card | null;
  cardQuota: number;
  /** UNIX seconds until which money may be paid in; 0 where no virtual account was issued. */
  virtualAccountUntil: number;
  buyer: Buyer | null;
  customData: string | null;
  customerUid: string | null;
  customerUidUsage: 'issue' | 'payment' | 'payment.scheduled' | null;
  /** Per-request notification URLs; they override the setting (§6.3). */
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

export type Cancellation = { amount: number; at: number; reason: string };

export const cancelledAmount = (payment: Payment) =>
  payment.cancellations.reduce((sum, { amount }) => sum + amount, 0);
