// Routes of payments: a stored one, and the service's lists by status (§4.5) and by billing key (§4.6).

import { z } from 'zod';
import { PaymentStatus } from '../../../generated/prisma/client';
import { isCustomerUid, isSvcUid } from '../../payment-service/identifiers';
import { LONGEST_PERIOD_MS } from '../../payment-service/payments';
import { fromUnixSeconds } from '../../payment-service/records/record-fields';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import {
  AS_THE_SERVICE_PAGES,
  pageLimit,
  pageNumber,
  refusePastTheEnd,
  unixSeconds,
} from '../../platform/http/query';
import { FieldError, platformErrors } from '../../platform/platform-errors';
import { billingKeyErrors } from '../billing-keys/billing-key-schema';
import {
  paymentErrors,
  paymentExample,
  paymentJson,
  paymentSchema,
  servicePaymentPageExample,
  servicePaymentPageJson,
  servicePaymentPageSchema,
} from './payment-schema';
import { findPayment } from './payment-store';

export const paymentRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/payments/{svc_uid}',
    scope: 'read',
    summary: 'A verified payment as it is stored',
    description:
      'It was re-fetched from the service and matches its order. Other payments are in `GET /api/discrepancies`.',
    answers: { 200: { description: 'The payment.', schema: paymentSchema, example: paymentExample } },
    errors: [paymentErrors.payment_not_found],
    async handle(context, { params }) {
      const payment = isSvcUid(params.svc_uid) ? await findPayment(context, params.svc_uid) : null;
      if (!payment) throw new HttpError(paymentErrors.payment_not_found);
      return { body: paymentJson(payment) };
    },
  }),
];

const DAY_SECONDS = 86_400;
const MAX_PERIOD_SECONDS = LONGEST_PERIOD_MS / 1000;

const paymentsByStatusQuery = z.object({
  status: z.enum(['all', ...Object.values(PaymentStatus)]).default('all'),
  page: pageNumber.optional(),
  limit: pageLimit.optional(),
  from: unixSeconds.optional().meta({ description: 'UNIX seconds; default 90 days before `to`.' }),
  to: unixSeconds
    .optional()
    .meta({ description: 'UNIX seconds; default now. At most 90 days after `from`.' }),
  sorting: z
    .enum(['started', '-started', 'paid', '-paid', 'updated', '-updated'])
    .optional()
    .meta({ description: 'Default `started`; a leading minus means descending.' }),
});

const answers = {
  200: { description: 'A page.', schema: servicePaymentPageSchema, example: servicePaymentPageExample },
};

/** Payments straight from the service. They are neither verified nor stored. */
export const servicePaymentRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/payments',
    scope: 'read',
    summary: 'Payments by status, from the service (§4.5)',
    description: `${AS_THE_SERVICE_PAGES} Nothing of it was compared with orders.`,
    query: paymentsByStatusQuery,
    answers,
    errors: [platformErrors.page_out_of_range],
    asksService: true,
    async handle(context, { query }) {
      const { status, from, to, ...rest } = query;
      checkPeriod(from, to, context.clock.now());
      const page = await context.service.getPaymentsByStatus(status, {
        ...rest,
        from: from === undefined ? undefined : fromUnixSeconds(from),
        to: to === undefined ? undefined : fromUnixSeconds(to),
      });
      refusePastTheEnd([...page.list, ...page.unreadable], rest.page);
      return { body: servicePaymentPageJson(page) };
    },
  }),
  apiRoute({
    method: 'get',
    path: '/api/billing-keys/{customer_uid}/payments',
    scope: 'read',
    summary: 'Payments made with a billing key, from the service (§4.6)',
    description: `${AS_THE_SERVICE_PAGES} Nothing of it was compared with orders.`,
    query: z.object({ page: pageNumber.optional() }),
    answers,
    errors: [
      platformErrors.page_out_of_range,
      billingKeyErrors.billing_key_not_found,
      platformErrors.service_not_found,
    ],
    asksService: true,
    async handle(context, { params, query: { page } }) {
      if (!isCustomerUid(params.customer_uid)) throw new HttpError(billingKeyErrors.billing_key_not_found);
      const payments = await context.service.getBillingKeyPayments(params.customer_uid, page);
      refusePastTheEnd([...payments.list, ...payments.unreadable], page);
      return { body: servicePaymentPageJson(payments) };
    },
  }),
];

/**
 * §4.5: at most 90 days. Without `to`, the service's clock decides to the second. Our clock may be off, so we refuse
 * only periods that are more than a day too long.
 */
function checkPeriod(from: number | undefined, to: number | undefined, now: Date): void {
  if (from === undefined) return;
  const end = to ?? now.getTime() / 1000 - DAY_SECONDS;
  if (to !== undefined && from > to) throw new FieldError('from', 'must not be later than to');
  if (end - from > MAX_PERIOD_SECONDS) throw new FieldError('from', 'must be at most 90 days before to');
}
