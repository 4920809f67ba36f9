// Payments by status (§4.5): range, order and page over all payments of the merchant.

import { z } from 'zod';
import { HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields, wholeNumber } from '../http/fields';
import { limitField, paged, pageField } from '../http/paging';
import type { SandboxClock } from '../state/clock';
import { STATUS_FILTERS, type SortTime } from './payment-lists';
import type { PaymentStore } from './payment-store';
import { includesSandbox } from './test-channel';

const MAX_PERIOD_SECONDS = 90 * 86_400;

const pathSchema = z.object({ payment_status: z.enum(STATUS_FILTERS) });

export const sortingField = z.enum(['started', '-started', 'paid', '-paid', 'updated', '-updated']);

const querySchema = z.object({
  page: optional(pageField),
  limit: optional(limitField),
  from: optional(wholeNumber(0)),
  to: optional(wholeNumber(0)),
  sorting: optional(sortingField.default('started')),
});

export function paymentsByStatusEndpoint(payments: PaymentStore, clock: SandboxClock): Endpoint {
  return {
    method: 'GET',
    path: '/payments/status/:payment_status',
    access: 'legacy',
    handle: ({ params, query }) => {
      const { payment_status: filter } = parseFields(pathSchema, params);
      const { page = 1, limit = 20, sorting = 'started', ...range } = parseFields(querySchema, query);
      const to = range.to ?? clock.now();
      const from = range.from ?? to - MAX_PERIOD_SECONDS;
      if (from > to) throw new HttpError(400, 'from: later than to');
      if (to - from > MAX_PERIOD_SECONDS) throw new HttpError(400, 'from: the period is longer than 90 days');
      const search = { filter, from, to, ...sortOf(sorting), includeSandbox: includesSandbox(query) };
      const found = payments.byStatus(search, (page - 1) * limit, limit);
      // Our choice: the first page is never outside the data range; it may be empty.
      if (page > 1 && found.payments.length === 0) throw new HttpError(400, 'page: outside the data range');
      return success(paged(found.total, page, limit, found.payments.map(payments.recordOf)));
    },
  };
}

/** A leading minus means newest first. */
export function sortOf(sorting: z.output<typeof sortingField>): { sort: SortTime; newestFirst: boolean } {
  return { sort: sorting.replace('-', '') as SortTime, newestFirst: sorting.startsWith('-') };
}
