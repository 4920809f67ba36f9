// Payments: look up one or many (§4.4, §4.5).
import type { Page, PaymentRecord } from './records';

export type PaymentStatusFilter = 'ready' | 'paid' | 'cancelled' | 'failed';
export type PaymentSorting = 'started' | '-started' | 'paid' | '-paid' | 'updated' | '-updated';

/** Query of §4.5. */
export type PaymentsQuery = {
  /** Starts at 1. */
  page?: number | undefined;
  /** Up to 1000; the service's default is 20. */
  limit?: number | undefined;
  /** At most 90 days before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
  sorting?: PaymentSorting | undefined;
};

export type PaymentOperations = {
  /** §4.4. Null where the service knows no such payment. */
  findPayment(svcUid: string): Promise<PaymentRecord | null>;
  /** Those that exist, in no particular order; asked in portions of 100. */
  findPayments(svcUids: readonly string[]): Promise<PaymentRecord[]>;
  /** The one that the service holds for this order and status; where there are several, its choice. */
  findPaymentByMerchantUid(merchantUid: string, status?: PaymentStatusFilter): Promise<PaymentRecord | null>;
  /** Every payment that carries this merchant_uid, over all pages. */
  findAllPaymentsByMerchantUid(merchantUid: string, status?: PaymentStatusFilter): Promise<PaymentRecord[]>;
  /** §4.5. A page past the end is empty. */
  getPaymentsByStatus(
    status: PaymentStatusFilter | 'all',
    query?: PaymentsQuery,
  ): Promise<Page<PaymentRecord>>;
};
