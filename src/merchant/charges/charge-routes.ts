// POST /api/orders/{merchant_uid}/charge and POST /api/onetime (contract §4).

import express, { type Response, type Router } from 'express';
import type { Clock } from '../clock';
import { parseRequest } from '../http/parse-request';
import { noteForLog } from '../http/request-log';
import { orderJson } from '../orders/order-json';
import type { OrderStore } from '../orders/order-store';
import { isMerchantUid } from '../payment-service/identifiers';
import { chargeAnswer, chargeRefusal, RETRY_AFTER_SECONDS } from './charge-answer';
import { chargeSchema } from './charge-json';
import type { ChargeOrder, ChargeOutcome } from './charge-order';
import { onetimeSchema, readCard } from './onetime-json';
import type { OnetimeOutcome, PayOnetime } from './pay-onetime';

type Dependencies = {
  chargeOrder: ChargeOrder;
  payOnetime: PayOnetime;
  orders: Pick<OrderStore, 'findOrder'>;
  clock: Clock;
};

export function createChargeRoutes({ chargeOrder, payOnetime, orders, clock }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.post('/orders/:merchant_uid/charge', async (request, response) => {
    const merchantUid = request.params.merchant_uid;
    const { customer_uid: customerUid } = parseRequest(chargeSchema, request.body);
    if (!isMerchantUid(merchantUid)) throw chargeRefusal('order_not_found');
    noteForLog(response, { merchant_uid: merchantUid, customer_uid: customerUid });
    await answer(response, merchantUid, await chargeOrder({ merchantUid, customerUid }));
  });

  router.post('/onetime', async (request, response) => {
    const fields = parseRequest(onetimeSchema, request.body);
    const card = readCard(fields, clock.now());
    const { merchant_uid: merchantUid, name, amount, currency, member_id, customer_uid } = fields;
    const consent = { termsVersion: fields.terms_version, privacyVersion: fields.privacy_version };
    const key =
      customer_uid !== undefined && member_id !== undefined
        ? { customerUid: customer_uid, memberId: member_id, consent }
        : null;
    noteForLog(response, { merchant_uid: merchantUid, customer_uid: customer_uid ?? null });
    const order = { merchantUid, name, amount, currency, memberId: member_id ?? null };
    await answer(response, merchantUid, await payOnetime({ order, card, key }));
  });
  return router;

  async function answer(response: Response, merchantUid: string, result: ChargeOutcome | OnetimeOutcome) {
    noteForLog(response, { outcome: result.kind });
    if (result.kind === 'not_executed') response.set('Retry-After', RETRY_AFTER_SECONDS);
    const { status, outcome } = chargeAnswer(result);
    const order = await orders.findOrder(merchantUid);
    if (!order) throw chargeRefusal('order_not_found');
    response.status(status).json({ outcome, order: orderJson(order) });
  }
}
