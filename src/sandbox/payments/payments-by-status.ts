// Payments by status (§4.5): range, order and page over all payments of the merchant.
import { z } from 'zod';
import { Refusal, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields, wholeNumber } from '../http/fields';
import { limitField, paged, pageField } from '../http/paging';
import { STATUS_FILTERS, type SortTime } from './payment-lists';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';

const LONGEST_PERIOD_SECONDS = 90 * 86_400;

const pathSchema = z.object({ payment_status: z.enum(STATUS_FILTERS) });

export const sortingField = z.enum(['started', '-started', 'paid', '-paid', 'updated', '-updated']);

const querySchema = z.object({
  page: optional(pageField),
  limit: optional(limitField),
  from: optional(wholeNumber(0)),
  to: optional(wholeNumber(0)),
  sorting: optional(sortingField.default('started')),
});

export function paymentsByStatusEndpoint(payments: PaymentStore, now: () => number): Endpoint {
  return {
    method: 'GET',
    path: '/payments/status/:payment_status',
    access: 'legacy',
    handle: ({ params, query }) => {
      const { payment_status } = parseFields(pathSchema, params);
      const { page = 1, limit = 20, sorting = 'started', ...asked } = parseFields(querySchema, query);
      const to = asked.to ?? now();
      const from = asked.from ?? to - LONGEST_PERIOD_SECONDS;
      if (from > to) throw new Refusal(400, 'from: later than to');
      if (to - from > LONGEST_PERIOD_SECONDS)
        throw new Refusal(400, 'from: the period is longer than 90 days');
      const order = { sort: sortTimeOf(sorting), newestFirst: sorting.startsWith('-') };
      const found = payments.byStatus(
        { filter: payment_status, from, to, ...order },
        (page - 1) * limit,
        limit,
      );
      // The first page of nothing is an empty page, not one out of range.
      if (page > 1 && found.payments.length === 0) throw new Refusal(400, 'page: outside the data range');
      return success(paged(found.total, page, limit, found.payments.map(paymentRecord)));
    },
  };
}

export const sortTimeOf = (sorting: z.output<typeof sortingField>) => sorting.replace('-', '') as SortTime;
