// GET /api/payments/{svc_uid}: a verified payment as it is stored.

import { isSvcUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { paymentErrors } from './errors';
import { paymentExample, paymentJson, paymentSchema } from './payment-schema';
import { findPayment } from './payment-store';

export const paymentRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/payments/{svc_uid}',
    summary: 'A verified payment as it is stored',
    description:
      'It was re-fetched from the service and fits its order. What did not fit is no payment here: see `GET /api/discrepancies`.',
    answers: { 200: { description: 'The payment.', schema: paymentSchema, example: paymentExample } },
    errors: [paymentErrors.payment_not_found],
    async handle(context, { params }) {
      const payment = isSvcUid(params.svc_uid) ? await findPayment(context, params.svc_uid) : null;
      if (!payment) throw new HttpError(paymentErrors.payment_not_found);
      return { body: paymentJson(payment) };
    },
  }),
];
