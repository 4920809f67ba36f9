// Routes of orders: register, list, read, close.

import { z } from 'zod';
import { OrderStatus } from '../../../generated/prisma/client';
import { isMerchantUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { byTime, defineList, listRoute } from '../../platform/http/list';
import { isoTime } from '../../platform/http/query';
import {
  memberIdField,
  newOrderExample,
  newOrderSchema,
  openOrderExample,
  orderErrors,
  orderJson,
  orderSchema,
  paidOrderExample,
  toNewOrder,
} from './order-schema';
import { findOrder, findOrders } from './order-store';
import { announceOrder, closeOrder, registerOrder } from './register-order';

const orderList = defineList({
  filters: {
    member_id: memberIdField.optional().meta({ description: 'Of this member.' }),
    status: z.enum(OrderStatus).optional(),
    updated_from: isoTime.optional().meta({ description: 'Changed at or after this time.' }),
  },
  // An order that changes again moves to the end of the list.
  cursor: byTime('updatedAt', 'merchantUid'),
  find: (context, { updatedFrom, ...filter }, take) =>
    findOrders(
      context,
      { ...filter, updatedFrom: updatedFrom === undefined ? undefined : new Date(updatedFrom) },
      take,
    ),
  json: orderJson,
});

export const orderRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/orders',
    scope: 'orders',
    summary: 'Register what is expected to be paid',
    description:
      'Register an order before it can be paid: a payment is recorded only if its order is registered and the amount is the same. A payment has the `card_quota`, `tax_free`, `buyer` and `custom_data` of its order unless a charge overrides them.',
    body: newOrderSchema,
    example: newOrderExample,
    answers: {
      201: { description: 'Registered.', schema: orderSchema, example: openOrderExample },
      200: {
        description:
          'The order was registered before with the same amount, currency and member. Nothing has changed, also none of its other fields.',
        schema: orderSchema,
        example: openOrderExample,
      },
    },
    errors: [orderErrors.order_conflict],
    async handle(context, { body, log }) {
      log({ merchant_uid: body.merchant_uid });
      const order = toNewOrder(body);
      const result = await registerOrder(context, order);
      switch (result.outcome) {
        case 'created':
          await announceOrder(context, order);
          return { status: 201, body: orderJson(result.order) };
        case 'known':
          return { body: orderJson(result.order) };
        case 'conflict':
          throw new HttpError(orderErrors.order_conflict);
      }
    },
  }),
  listRoute(orderList, {
    path: '/api/orders',
    summary: 'Orders, the oldest change first',
    id: 'OrderList',
    item: orderSchema,
    example: paidOrderExample,
  }),
  apiRoute({
    method: 'get',
    path: '/api/orders/{merchant_uid}',
    scope: 'read',
    summary: 'An order with its payments',
    answers: { 200: { description: 'The order.', schema: orderSchema, example: paidOrderExample } },
    errors: [orderErrors.order_not_found],
    async handle(context, { params }) {
      const order = isMerchantUid(params.merchant_uid) ? await findOrder(context, params.merchant_uid) : null;
      if (!order) throw new HttpError(orderErrors.order_not_found);
      return { body: orderJson(order) };
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/orders/{merchant_uid}/close',
    scope: 'orders',
    summary: 'Close an unpaid order, so that it can no longer be paid',
    description:
      'An order that awaits a deposit can be closed too, and one with a schedule that is not due, which is then revoked at once. A later payment or deposit is recorded and causes the discrepancy `paid_after_close`.',
    answers: {
      200: {
        description: 'The order is closed, now or already before.',
        schema: orderSchema,
        example: { ...openOrderExample, status: 'closed' },
      },
    },
    errors: [orderErrors.order_not_found, orderErrors.order_not_closable],
    async handle(context, { params, log }) {
      const { merchant_uid: merchantUid } = params;
      if (!isMerchantUid(merchantUid)) throw new HttpError(orderErrors.order_not_found);
      const result = await closeOrder(context, merchantUid);
      log({ merchant_uid: merchantUid, outcome: result.kind });
      if (result.kind !== 'closed') throw new HttpError(orderErrors[result.kind]);
      return { body: orderJson(result.order) };
    },
  }),
];
