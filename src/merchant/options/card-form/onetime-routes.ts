// The route of key-in payments (§4.3).

import type { ChargeOutcome } from '../../core/charges/charge-order';
import { chargedResponse, chargeErrors, NOT_STARTED } from '../../core/charges/charge-response';
import { chargedAnswers } from '../../core/charges/charge-schema';
import { orderErrors } from '../../core/orders/order-schema';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { cardFormErrors } from './errors';
import { onetimeExample, onetimePaidExample, onetimeSchema, toOnetimePayment } from './onetime-schema';
import { payOnetime, type OnetimeOutcome } from './pay-onetime';

export const onetimeRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/onetime',
    scope: 'charge',
    summary: 'Key-in payment: issue a billing key and take a first payment in one call (§4.3)',
    description:
      'Registers the order too. With `customer_uid` the card is stored, for which the caller needs the member’s consent; without it no key is stored. A card that was declined five times in 24 hours, here or with the card form, is not sent. A system that sends card data is in scope of PCI DSS.',
    body: onetimeSchema,
    example: onetimeExample,
    answers: chargedAnswers(onetimePaidExample),
    asksService: true,
    errors: [
      ...Object.values(NOT_STARTED),
      chargeErrors.payment_not_judged,
      orderErrors.order_conflict,
      cardFormErrors.customer_uid_in_use,
      cardFormErrors.card_tried_too_often,
      chargeErrors.payment_declined,
      chargeErrors.payment_refused,
    ],
    async handle(context, { body, log }) {
      const payment = toOnetimePayment(body, context.clock.now());
      const { merchantUid } = payment.order;
      log({ merchant_uid: merchantUid, customer_uid: body.customer_uid ?? null, by: body.by ?? null });
      const outcome = await payOnetime(context, payment);
      log({ outcome: outcome.kind });
      return chargedResponse(context, merchantUid, refuseCard(outcome));
    },
  }),
];

/** @throws HttpError for an outcome that a charge with a stored key cannot have */
function refuseCard(outcome: OnetimeOutcome): ChargeOutcome {
  if (outcome.kind === 'card_tried_too_often')
    throw new HttpError(cardFormErrors.card_tried_too_often, null, outcome.retryAfterSeconds);
  if (outcome.kind === 'customer_uid_in_use') throw new HttpError(cardFormErrors.customer_uid_in_use);
  if (outcome.kind === 'order_conflict') throw new HttpError(orderErrors.order_conflict);
  return outcome;
}
