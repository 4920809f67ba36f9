// Payments by their ids: one (§4.4), several, and those of one merchant_uid (§4.9).

import { z } from 'zod';
import { HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { listOf, optional, parseFields } from '../http/fields';
import { DEFAULT_LIMIT, paged, pageField } from '../http/paging';
import { STATUS_FILTERS } from './payment-lists';
import { getPayment, type PaymentStore } from './payment-store';
import { sortingField, sortOf } from './payments-by-status-endpoint';
import { shownTo } from './test-channel';

const MAX_IDS = 100;

const severalSchema = z.object({
  svc_uid: optional(listOf(z.string(), MAX_IDS)),
  merchant_uid: optional(listOf(z.string(), MAX_IDS)),
});
const pathSchema = z.object({ payment_status: z.enum(STATUS_FILTERS).default('all') });
const querySchema = z.object({
  sorting: optional(sortingField.default('-started')),
  page: optional(pageField),
});

export function paymentEndpoints(payments: PaymentStore): Endpoint[] {
  const several: Endpoint = {
    method: 'GET',
    path: '/payments',
    access: 'legacy',
    // 404 if no payment is known, 207 if some are missing.
    handle: ({ query }) => {
      const { svc_uid = [], merchant_uid = [] } = parseFields(severalSchema, query);
      const requested = svc_uid.length + merchant_uid.length;
      if (requested === 0 || requested > MAX_IDS)
        throw new HttpError(400, `svc_uid, merchant_uid: 1 to ${MAX_IDS} together`);
      const isShown = shownTo(query);
      const found = [
        ...svc_uid.flatMap((each) => payments.find(each) ?? []).filter(isShown),
        ...merchant_uid.flatMap((each) => payments.ofOrder(each).find(isShown) ?? []),
      ];
      if (found.length === 0) throw new HttpError(404, 'svc_uid, merchant_uid: no such payment');
      return success(found.map(payments.recordOf), found.length < requested ? 207 : 200);
    },
  };
  const details: Endpoint = {
    method: 'GET',
    path: '/payments/:svc_uid',
    access: 'legacy',
    handle: ({ params, query }) =>
      success(payments.recordOf(getPayment(payments, params.svc_uid, shownTo(query)))),
  };
  return [several, ...findByOrder(payments), details];
}

// `find` returns one payment of the order, `findAll` a page of them. The status in the path is optional.
function findByOrder(payments: PaymentStore): Endpoint[] {
  return ['', '/:payment_status'].flatMap((status): Endpoint[] => [
    {
      method: 'GET',
      path: `/payments/find/:merchant_uid${status}`,
      access: 'legacy',
      handle: ({ params, query }) => {
        const [first] = ofOrder(payments, params, query).found;
        if (!first) throw new HttpError(404, 'merchant_uid: no such payment');
        return success(payments.recordOf(first));
      },
    },
    {
      method: 'GET',
      path: `/payments/findAll/:merchant_uid${status}`,
      access: 'legacy',
      handle: ({ params, query }) => {
        const { found, page } = ofOrder(payments, params, query);
        if (found.length === 0) throw new HttpError(404, 'merchant_uid: no such payment');
        const list = found.slice((page - 1) * DEFAULT_LIMIT, page * DEFAULT_LIMIT);
        return success(paged(found.length, page, DEFAULT_LIMIT, list.map(payments.recordOf)));
      },
    },
  ]);
}

function ofOrder(payments: PaymentStore, params: Record<string, string>, query: Record<string, unknown>) {
  const { payment_status } = parseFields(pathSchema, params);
  const { sorting = '-started', page = 1 } = parseFields(querySchema, query);
  const { sort, newestFirst } = sortOf(sorting);
  const time = `${sort}At` as const;
  const found = payments
    .ofOrder(params.merchant_uid ?? '')
    .filter(shownTo(query))
    .filter(({ status }) => payment_status === 'all' || status === payment_status)
    .sort((one, other) => one[time] - other[time] || one.sequence - other.sequence);
  return { found: newestFirst ? found.reverse() : found, page };
}
