// Payments by their ids: one (§4.4), several, and by the order's merchant_uid (§4.9, field notes).
import { z } from 'zod';
import { Refusal, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { listOf, optional, parseFields } from '../http/fields';
import { DEFAULT_LIMIT, paged, pageField } from '../http/paging';
import type { Payment } from './payment';
import { STATUS_FILTERS } from './payment-lists';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';
import { sortingField, sortTimeOf } from './payments-by-status';

const MOST_IDS = 100;
const severalSchema = z.object({
  svc_uid: optional(listOf(z.string(), MOST_IDS)),
  merchant_uid: optional(listOf(z.string(), MOST_IDS)),
});
const findSchema = z.object({ payment_status: z.enum(STATUS_FILTERS).default('all') });
const findQuerySchema = z.object({
  sorting: optional(sortingField.default('-started')),
  page: optional(pageField),
});

export function paymentEndpoints(payments: PaymentStore): Endpoint[] {
  const several: Endpoint = {
    method: 'GET',
    path: '/payments',
    access: 'legacy',
    handle: ({ query }) => {
      const { svc_uid = [], merchant_uid = [] } = parseFields(severalSchema, query);
      const asked = svc_uid.length + merchant_uid.length;
      if (asked === 0 || asked > MOST_IDS)
        throw new Refusal(400, `svc_uid, merchant_uid: 1 to ${MOST_IDS} together`);
      const found = [
        ...svc_uid.map((each) => payments.find(each)),
        ...merchant_uid.map((each) => payments.ofOrder(each)[0]),
      ].filter((payment) => payment !== undefined);
      if (found.length === 0) throw new Refusal(404, 'svc_uid, merchant_uid: no such payment');
      return success(found.map(paymentRecord), found.length < asked ? 207 : 200);
    },
  };
  const details: Endpoint = {
    method: 'GET',
    path: '/payments/:svc_uid',
    access: 'legacy',
    handle: ({ params }) => success(paymentRecord(getPayment(payments, params.svc_uid))),
  };
  return [several, ...findByOrder(payments), details];
}

export function getPayment(payments: PaymentStore, svcUid: string | undefined): Payment {
  const payment = svcUid === undefined ? undefined : payments.find(svcUid);
  if (!payment) throw new Refusal(404, 'svc_uid: no such payment');
  return payment;
}

// `find` gives one payment of the order, `findAll` a page of them; the status is optional in both.
function findByOrder(payments: PaymentStore): Endpoint[] {
  return ['', '/:payment_status'].flatMap((status): Endpoint[] => [
    {
      method: 'GET',
      path: `/payments/find/:merchant_uid${status}`,
      access: 'legacy',
      handle: ({ params, query }) => {
        const [first] = ofOrder(payments, params, query).found;
        if (!first) throw new Refusal(404, 'merchant_uid: no such payment');
        return success(paymentRecord(first));
      },
    },
    {
      method: 'GET',
      path: `/payments/findAll/:merchant_uid${status}`,
      access: 'legacy',
      handle: ({ params, query }) => {
        const { found, page } = ofOrder(payments, params, query);
        if (found.length === 0) throw new Refusal(404, 'merchant_uid: no such payment');
        const list = found.slice((page - 1) * DEFAULT_LIMIT, page * DEFAULT_LIMIT);
        return success(paged(found.length, page, DEFAULT_LIMIT, list.map(paymentRecord)));
      },
    },
  ]);
}

function ofOrder(payments: PaymentStore, params: Record<string, string>, query: Record<string, unknown>) {
  const { payment_status } = parseFields(findSchema, params);
  const { sorting = '-started', page = 1 } = parseFields(findQuerySchema, query);
  const time = `${sortTimeOf(sorting)}At` as const;
  const direction = sorting.startsWith('-') ? -1 : 1;
  const found = payments
    .ofOrder(params.merchant_uid ?? '')
    .filter(({ status }) => payment_status === 'all' || status === payment_status)
    .sort((one, other) => direction * (one[time] - other[time] || one.sequence - other.sequence));
  return { found, page };
}
