// Payments: look up one or many (§4.4, §4.5).
import { ServiceFault } from '../errors';
import { orNull, type Call } from './call';
import { portions, readList, readPage, toUnixSeconds } from './page';
import { readPayment } from './read-payment';
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
  /** §4.4. Null where the service knows no such payment. Whether the record is the one asked for is judged, not assumed. */
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

/** What the service takes in one call. */
const PAYMENTS_PER_CALL = 100;
/** Of one order: far more than anybody pays in, and an end for a service that always names a next page. */
const MAX_PAGES = 100;
const MAX_PERIOD_MS = 90 * 24 * 60 * 60 * 1_000;

export function createPaymentOperations(call: Call): PaymentOperations {
  return {
    async findPayment(svcUid) {
      const answer = await orNull(
        call({ method: 'GET', path: '/payments/{svc_uid}', ids: { svc_uid: svcUid } }),
      );
      if (!answer) return null;
      return readPayment(answer.payload, answer.bad);
    },

    async findPayments(svcUids) {
      const found: PaymentRecord[] = [];
      for (const portion of portions(svcUids, PAYMENTS_PER_CALL)) {
        const query = { 'svc_uid[]': portion };
        const answer = await orNull(call({ method: 'GET', path: '/payments', query, list: true }));
        if (answer) found.push(...readList(answer, readPayment));
      }
      const asked = new Set(svcUids);
      return found.filter((payment) => asked.has(payment.svcUid));
    },

    async findPaymentByMerchantUid(merchantUid, status) {
      const answer = await orNull(
        call({ method: 'GET', ...byMerchantUid('/payments/find', merchantUid, status) }),
      );
      if (!answer) return null;
      const payment = readPayment(answer.payload, answer.bad);
      if (payment.merchantUid !== merchantUid) throw answer.bad('the answer is about another merchant_uid');
      return payment;
    },

    async findAllPaymentsByMerchantUid(merchantUid, status) {
      const found: PaymentRecord[] = [];
      for (let page = 1; page > 0;) {
        const operation = byMerchantUid('/payments/findAll', merchantUid, status);
        const answer = await orNull(call({ method: 'GET', ...operation, query: { page }, list: true }));
        if (!answer) break;
        const { list, next, unreadable } = readPage(answer, readPayment);
        // Whoever asks wants to know whether money moved: "all but one" is no answer to that.
        if (unreadable.length > 0) throw answer.bad('a payment of the list is not as described');
        if (next > MAX_PAGES) throw answer.bad('a list without end');
        found.push(...list);
        page = next > page ? next : 0;
      }
      return found.filter((payment) => payment.merchantUid === merchantUid);
    },

    async getPaymentsByStatus(status, query = {}) {
      const { page, limit, from, to, sorting } = query;
      try {
        const answer = await call({
          method: 'GET',
          path: '/payments/status/{payment_status}',
          ids: { payment_status: status },
          query: { page, limit, sorting, from: from && toUnixSeconds(from), to: to && toUnixSeconds(to) },
          list: true,
        });
        return readPage(answer, readPayment);
      } catch (error) {
        if (!isPastTheEnd(error, query)) throw error;
        return { total: 0, previous: 0, next: 0, list: [], unreadable: [] };
      }
    },
  };
}

function byMerchantUid(path: string, merchantUid: string, status: PaymentStatusFilter | undefined) {
  return status === undefined
    ? { path: `${path}/{merchant_uid}`, ids: { merchant_uid: merchantUid } }
    : {
        path: `${path}/{merchant_uid}/{payment_status}`,
        ids: { merchant_uid: merchantUid, payment_status: status },
      };
}

// §4.5 names two reasons for a 400: an invalid status, which ours never is, and a page outside the data range. A period
// that is too long, or a first page, leaves room for other reasons: those stay faults.
function isPastTheEnd(error: unknown, { page = 1, from, to }: PaymentsQuery): boolean {
  if (!(error instanceof ServiceFault) || error.facts.status !== 400 || page <= 1) return false;
  return !from || !to || to.getTime() - from.getTime() <= MAX_PERIOD_MS;
}
