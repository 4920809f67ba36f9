// The routes of charges: charge an order, list charges, and decide about one.

import { isMerchantUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { attemptRoutes } from '../attempts/attempt-parts';
import { orderErrors } from '../orders/order-schema';
import { toPaymentFields } from '../orders/payment-fields-schema';
import { chargeAttempt } from './attempt';
import { chargeOrder } from './charge-order';
import { chargedResponse, chargeErrors, KEY_PROBLEMS, NOT_STARTED } from './charge-response';
import { chargedAnswers, chargedExample, chargeExample, chargeSchema } from './charge-schema';

export const chargeRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/orders/{merchant_uid}/charge',
    scope: 'charge',
    summary: 'Pay an order with a stored billing key',
    description:
      'The order must be registered, and the key must be active and belong to its member. The fields of this request override those of the order. An order that awaits a deposit can be charged too; a later deposit is a `duplicate_payment`. After a 202 the order cannot be charged until the outcome is known.',
    body: chargeSchema,
    example: chargeExample,
    answers: chargedAnswers(chargedExample),
    asksService: true,
    errors: [
      ...Object.values(NOT_STARTED),
      chargeErrors.payment_not_judged,
      ...Object.values(KEY_PROBLEMS),
      chargeErrors.payment_declined,
      chargeErrors.payment_refused,
    ],
    async handle(context, { params, body, log }) {
      const { merchant_uid: merchantUid } = params;
      const { customer_uid: customerUid } = body;
      if (!isMerchantUid(merchantUid)) throw new HttpError(orderErrors.order_not_found);
      log({ merchant_uid: merchantUid, customer_uid: customerUid, by: body.by ?? null });
      const overrides = toPaymentFields(body);
      const outcome = await chargeOrder(context, { merchantUid, customerUid, overrides });
      log({ outcome: outcome.kind });
      return chargedResponse(context, merchantUid, outcome);
    },
  }),
  ...attemptRoutes(chargeAttempt),
];
