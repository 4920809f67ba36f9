// The routes of charges: charge an order, key-in payment, list charges, and resolve one.

import { z } from 'zod';
import { ChargeStatus } from '../../../generated/prisma/client';
import { isMerchantUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiResponse, type ApiRoute } from '../../platform/http/api-route';
import { byTime, defineList, listRoute } from '../../platform/http/list';
import { ofBillingKey, ofOrder, ofPayment } from '../../platform/http/query';
import { needsPersonField } from '../attempts/attempt-schema';
import { settleRoute } from '../attempts/settle-route';
import { orderErrors, orderJson } from '../orders/order-schema';
import { findOrder } from '../orders/order-store';
import { toPaymentFields } from '../orders/payment-fields-schema';
import { isChargeId } from './charge-id';
import { chargeOrder, type ChargeOutcome } from './charge-order';
import { chargeErrors, chargeResponse, KEY_PROBLEMS, NOT_STARTED } from './charge-response';
import {
  chargeDecisionExample,
  chargeDecisionSchema,
  chargedExample,
  chargedSchema,
  chargeExample,
  chargeJson,
  chargeSchema,
  onetimeExample,
  onetimePaidExample,
  onetimeSchema,
  settledChargeExample,
  storedChargeSchema,
  toOnetimePayment,
} from './charge-schema';
import { findCharge, findCharges } from './charge-store';
import { decideCharge } from './decide-charge';
import { payOnetime, type OnetimeOutcome } from './pay-onetime';

export const chargeList = defineList({
  filters: {
    merchant_uid: ofOrder,
    svc_uid: ofPayment,
    customer_uid: ofBillingKey,
    status: z.enum(ChargeStatus).optional(),
    needs_person: needsPersonField,
  },
  // Charge ids are random.
  cursor: byTime('startedAt', 'id'),
  find: findCharges,
  json: chargeJson,
});

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
  listRoute(chargeList, {
    path: '/api/charges',
    summary: 'Attempts to take money, the newest first',
    id: 'ChargeList',
    item: storedChargeSchema,
    example: settledChargeExample,
  }),
  settleRoute({
    kind: 'charge',
    scope: 'charge',
    summary: 'Record a person’s decision on a charge; the service must not contradict it',
    decision: chargeDecisionSchema,
    example: chargeDecisionExample,
    stored: storedChargeSchema,
    storedExample: settledChargeExample,
    notFound: chargeErrors.charge_not_found,
    otherErrors: [chargeErrors.order_scheduled],
    isId: isChargeId,
    decide: async (context, id, decision) => {
      const outcome = await decideCharge(context, { id, ...decision });
      if (outcome.kind === 'scheduled') throw new HttpError(chargeErrors.order_scheduled);
      return outcome;
    },
    find: findCharge,
    json: chargeJson,
  }),
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
