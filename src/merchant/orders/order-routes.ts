// POST /api/orders and GET /api/orders/{merchant_uid} (contract §4).

import express, { type Router } from 'express';
import { RequestFault } from '../errors';
import { parseRequest } from '../http/parse-request';
import { noteForLog } from '../http/request-log';
import { isMerchantUid } from '../payment-service/identifiers';
import { newOrderSchema, orderJson } from './order-json';
import type { OrderStore } from './order-store';
import type { RegisterOrder } from './register-order';

type Dependencies = { registerOrder: RegisterOrder; store: Pick<OrderStore, 'findOrder'> };

export function createOrderRoutes({ registerOrder, store }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.post('/orders', async (request, response) => {
    const { merchant_uid, member_id, ...rest } = parseRequest(newOrderSchema, request.body);
    noteForLog(response, { merchant_uid });
    const result = await registerOrder({ ...rest, merchantUid: merchant_uid, memberId: member_id ?? null });
    switch (result.outcome) {
      case 'created':
        response.status(201).json(orderJson(result.order));
        return;
      case 'known':
        response.json(orderJson(result.order));
        return;
      case 'conflict':
        throw new RequestFault(
          409,
          'order_conflict',
          'This merchant_uid is registered with another amount, currency or member.',
        );
    }
  });

  router.get('/orders/:merchant_uid', async (request, response) => {
    const merchantUid = request.params.merchant_uid;
    const order = isMerchantUid(merchantUid) ? await store.findOrder(merchantUid) : null;
    if (!order) throw new RequestFault(404, 'order_not_found', 'No order has this merchant_uid.');
    response.json(orderJson(order));
  });
  return router;
}
