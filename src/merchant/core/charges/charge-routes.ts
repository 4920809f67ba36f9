// The routes of charges: charge an order, key-in payment, list charges, and decide about one.

import { isMerchantUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiResponse, type ApiRoute } from '../../platform/http/api-route';
import { attemptRoutes } from '../attempts/attempt-parts';
import { orderErrors, orderJson } from '../orders/order-schema';
import { findOrder } from '../orders/order-store';
import { toPaymentFields } from '../orders/payment-fields-schema';
import { chargeAttempt } from './attempt';
import { chargeOrder, type ChargeOutcome } from './charge-order';
import { chargeErrors, chargeResponse, KEY_PROBLEMS, NOT_STARTED } from './charge-response';
import {
  chargedExample,
  chargedSchema,
  chargeExample,
  chargeSchema,
  onetimeExample,
  onetimePaidExample,
  onetimeSchema,
  toOnetimePayment,
} from './charge-schema';
import { payOnetime, type OnetimeOutcome } from './pay-onetime';

const answers = (example: unknown) => ({
  200: { description: 'Paid.', schema: chargedSchema, example },
  202: { description: 'The answer was lost; its outcome is polled for.', schema: chargedSchema },
});

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
    answers: answers(chargedExample),
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
      const said = toPaymentFields(body);
      const outcome = await chargeOrder(context, { merchantUid, customerUid, said });
      log({ outcome: outcome.kind });
      return respond(context, merchantUid, outcome);
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/onetime',
    scope: 'charge',
    summary: 'Key-in payment: issue a billing key and take a first payment in one call (§4.3)',
    description:
      'Registers the order too. With `customer_uid` the card is stored, for which the caller needs the member’s consent; without it no key is stored. A card that was declined five times in 24 hours, here or with the card form, is not sent. A system that sends card data is in scope of PCI DSS.',
    body: onetimeSchema,
    example: onetimeExample,
    answers: answers(onetimePaidExample),
    asksService: true,
    errors: [
      ...Object.values(NOT_STARTED),
      chargeErrors.payment_not_judged,
      orderErrors.order_conflict,
      chargeErrors.customer_uid_in_use,
      chargeErrors.card_tried_too_often,
      chargeErrors.payment_declined,
      chargeErrors.payment_refused,
    ],
    async handle(context, { body, log }) {
      const payment = toOnetimePayment(body, context.clock.now());
      const { merchantUid } = payment.order;
      log({ merchant_uid: merchantUid, customer_uid: body.customer_uid ?? null, by: body.by ?? null });
      const outcome = await payOnetime(context, payment);
      log({ outcome: outcome.kind });
      return respond(context, merchantUid, outcome);
    },
  }),
  ...attemptRoutes(chargeAttempt),
];

/** Reads the order after the charge, so that the answer shows what was stored. */
async function respond(
  context: Context,
  merchantUid: string,
  result: ChargeOutcome | OnetimeOutcome,
): Promise<ApiResponse> {
  const { status, outcome } = chargeResponse(result);
  const order = await findOrder(context, merchantUid);
  if (!order) throw new HttpError(orderErrors.order_not_found);
  return { status, body: { outcome, order: orderJson(order) } };
}
