// Payments: find one, find those of an order, list by status (§4.4, §4.5).

import { ServiceError } from '../errors';
import { readPage, type Page } from './records/page';
import { readPayment, type PaymentRecord } from './records/payment-record';
import { toUnixSeconds } from './records/unix-time';
import { call, orNull, type Connection } from './transport/call';

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

/** Of one order: far more than any order needs, and an end for a service that always names a next page. */
const MAX_PAGES = 100;
const MAX_PERIOD_MS = 90 * 24 * 60 * 60 * 1_000;

export function paymentOperations(connection: Connection) {
  return {
    /**
     * §4.4. Returns null where the service knows no such payment. Whether the record is the requested one is for the
     * judgement to say.
     */
    async findPayment(svcUid: string): Promise<PaymentRecord | null> {
      const request = { method: 'GET', path: '/payments/{svc_uid}', ids: { svc_uid: svcUid } } as const;
      const response = await orNull(call(connection, request));
      return response && readPayment(response);
    },

    /** Every payment that carries this merchant_uid, over all pages. */
    async findAllPaymentsByMerchantUid(
      merchantUid: string,
      status?: PaymentStatusFilter,
    ): Promise<PaymentRecord[]> {
      const found: PaymentRecord[] = [];
      for (let page = 1; page > 0;) {
        const endpoint = paymentsOf(merchantUid, status);
        const request = { method: 'GET', ...endpoint, query: { page }, list: true } as const;
        const response = await orNull(call(connection, request));
        if (!response) break;
        const { list, next, unreadable } = readPage(response, readPayment);
        // The caller wants to know whether money moved: "all but one" does not say so.
        if (unreadable.length > 0)
          throw response.invalidResponse('a payment of the list is not as described');
        if (next > MAX_PAGES) throw response.invalidResponse('a list without end');
        found.push(...list);
        page = next > page ? next : 0;
      }
      return found.filter((payment) => payment.merchantUid === merchantUid);
    },

    /** §4.5. A page past the end is empty. */
    async getPaymentsByStatus(
      status: PaymentStatusFilter | 'all',
      query: PaymentsQuery = {},
    ): Promise<Page<PaymentRecord>> {
      const { page, limit, from, to, sorting } = query;
      try {
        const response = await call(connection, {
          method: 'GET',
          path: '/payments/status/{payment_status}',
          ids: { payment_status: status },
          query: { page, limit, sorting, from: from && toUnixSeconds(from), to: to && toUnixSeconds(to) },
          list: true,
        });
        return readPage(response, readPayment);
      } catch (error) {
        if (!isPastTheEnd(error, query)) throw error;
        return { total: 0, previous: 0, next: 0, list: [], unreadable: [] };
      }
    },
  };
}

function paymentsOf(merchantUid: string, status: PaymentStatusFilter | undefined) {
  return status === undefined
    ? { path: '/payments/findAll/{merchant_uid}', ids: { merchant_uid: merchantUid } }
    : {
        path: '/payments/findAll/{merchant_uid}/{payment_status}',
        ids: { merchant_uid: merchantUid, payment_status: status },
      };
}

// §4.5 names two reasons for a 400: an invalid status, which ours never is, and a page outside the data range. A period
// that is too long, or a first page, leaves room for other reasons: those stay errors.
function isPastTheEnd(error: unknown, { page = 1, from, to }: PaymentsQuery): boolean {
  if (!(error instanceof ServiceError) || error.facts.status !== 400 || page <= 1) return false;
  return !from || !to || to.getTime() - from.getTime() <= MAX_PERIOD_MS;
}
