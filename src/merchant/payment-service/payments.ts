// Payments: find one, find those of an order, list by status (§4.4, §4.5), announce an amount before the payment
// (§4.9).

import { readPage, type Listed, type Page } from './records/page';
import {
  readPayment,
  readPaymentState,
  readShownPayment,
  type KnownPaymentStatus,
  type PaymentRecord,
  type PaymentState,
  type ShownPayment,
} from './records/payment-record';
import { toUnixSeconds, type ServiceResponse } from './records/record-fields';
import { ServiceError } from './records/service-error';
import { call, orNull, type Connection } from './transport/client';

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

/** Pages per order: far more than any order needs. Ends the loop if a service always names a next page. */
const MAX_PAGES = 100;
/** "The search period is at most 90 days" (§4.5, §8). */
export const LONGEST_PERIOD_MS = 90 * 24 * 60 * 60 * 1_000;
/** For `preparePayment`: the caller who registers an order waits for it. */
const PREPARE_TIMEOUT_MS = 2_000;

/**
 * The query of every operation that shows payments: the service hides those of test channels unless it asks for them
 * (§4.4).
 */
export type ShownChannels = { include_sandbox: 'true' | undefined };

export function paymentOperations(connection: Connection, shown: ShownChannels) {
  const askPayment = (svcUid: string, channel?: 'visitors') => {
    const ids = { svc_uid: svcUid };
    const request = { method: 'GET', path: '/payments/{svc_uid}', ids, query: shown } as const;
    return orNull(call(connection, { ...request, ...(channel && { channel }) }));
  };
  return {
    /**
     * §4.4. Returns null if the service knows no such payment. The caller verifies that the record is the requested
     * one.
     * @param channel `visitors` if only the visitor of a page needs the answer
     */
    async findPayment(
      svcUid: string,
      { channel }: { channel?: 'visitors' | undefined } = {},
    ): Promise<PaymentRecord | null> {
      const response = await askPayment(svcUid, channel);
      return response && readPayment(response);
    },

    /** The same payment, also if its record is not as described. */
    async findShownPayment(svcUid: string): Promise<ShownPayment | null> {
      const response = await askPayment(svcUid);
      return response && readShownPayment(response);
    },

    /**
     * Every payment with this merchant_uid, from all pages. One that cannot be read may belong to it as well.
     * @param channel `writes` if a call that moves money waits for the answer
     */
    async findAllPaymentsByMerchantUid(
      merchantUid: string,
      { channel }: { channel?: 'writes' | undefined } = {},
    ): Promise<Listed<PaymentRecord>> {
      const found: Listed<PaymentRecord> = { list: [], unreadable: [] };
      for (let page = 1; page > 0;) {
        const request = {
          method: 'GET',
          path: '/payments/findAll/{merchant_uid}',
          ids: { merchant_uid: merchantUid },
          query: { page, ...shown },
          list: true,
          ...(channel && { channel }),
        } as const;
        const response = await orNull(call(connection, request));
        if (!response) break;
        const { list, next, unreadable } = readPage(response, readPayment);
        if (next > MAX_PAGES) throw response.invalidResponse('a list without end');
        found.list.push(...list.filter((payment) => payment.merchantUid === merchantUid));
        found.unreadable.push(...unreadable);
        page = next > page ? next : 0;
      }
      return found;
    },

    /** §4.5. A page past the end is empty. */
    getPaymentsByStatus(
      status: KnownPaymentStatus | 'all',
      query: PaymentsQuery = {},
    ): Promise<Page<PaymentRecord>> {
      return getPage(connection, shown, { status, query, readOne: readPayment });
    },

    /** The same, with only the fields that decide the state of an order. */
    getPaymentStates(status: KnownPaymentStatus, query: PaymentsQuery): Promise<Page<PaymentState>> {
      return getPage(connection, shown, { status, query, readOne: readPaymentState });
    },

    /**
     * §4.9. Resolves if the service answers code 0: it then refuses payments of another amount for this order. Moves no
     * money, and times out after two seconds.
     */
    async preparePayment(merchantUid: string, amount: number): Promise<void> {
      const timeoutMs = Math.min(connection.timeoutMs, PREPARE_TIMEOUT_MS);
      await call(
        { ...connection, timeoutMs },
        {
          method: 'POST',
          path: '/payments/prepare',
          body: { merchant_uid: merchantUid, amount },
          channel: 'queries',
        },
      );
    },
  };
}

type PageRequest<Payment> = {
  status: KnownPaymentStatus | 'all';
  query: PaymentsQuery;
  readOne: (item: ServiceResponse) => Payment;
};

async function getPage<Payment>(
  connection: Connection,
  shown: ShownChannels,
  { status, query, readOne }: PageRequest<Payment>,
): Promise<Page<Payment>> {
  const { page, limit, from, to, sorting } = query;
  try {
    const response = await call(connection, {
      method: 'GET',
      path: '/payments/status/{payment_status}',
      ids: { payment_status: status },
      query: {
        page,
        limit,
        sorting,
        from: from && toUnixSeconds(from),
        to: to && toUnixSeconds(to),
        ...shown,
      },
      list: true,
    });
    return readPage(response, readOne);
  } catch (error) {
    if (!isPastTheEnd(error, query)) throw error;
    return { total: 0, previous: 0, next: 0, list: [], unreadable: [] };
  }
}

// §4.5 names two reasons for a 400: an invalid status, which ours never is, and a page outside the data range. For a
// first page, or a period that is too long, there may be other reasons: those stay errors.
function isPastTheEnd(error: unknown, { page = 1, from, to }: PaymentsQuery): boolean {
  if (!(error instanceof ServiceError) || error.facts.status !== 400 || page <= 1) return false;
  return !from || !to || to.getTime() - from.getTime() <= LONGEST_PERIOD_MS;
}
