// The shop's own systems register what they expect to be paid, and read what became of it.

import { createHash, timingSafeEqual } from 'node:crypto';
import express, { Router, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import type { Context } from './context';
import type { Order, Payment } from './generated/prisma/client';
import { id } from './payment-service';

/** PostgreSQL stores no NUL. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]{1,40}$/u;
const merchantUidSchema = id.max(40);
const orderSchema = z.strictObject({
  merchant_uid: merchantUidSchema,
  name: z.string().trim().regex(PRINTABLE),
  amount: z.int().min(1).max(2_147_483_647),
  currency: z.enum(['KRW', 'USD', 'EUR']).default('KRW'),
});

const include = { payments: true };

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function requireKey(apiKey: string): RequestHandler {
  const expected = sha256(`Bearer ${apiKey}`);
  return (request, response, next) => {
    if (timingSafeEqual(sha256(request.headers.authorization ?? ''), expected)) return next();
    const message = 'The API key is missing or wrong.';
    response.status(401).json({ error: { code: 'unauthorized', message } });
  };
}

export function orderRoutes({ settings, database }: Context): Router {
  const routes = Router();
  routes.use(requireKey(settings.API_KEY));

  routes.post('/', express.json(), async (request, response) => {
    const body = orderSchema.safeParse(request.body ?? {});
    if (!body.success) return refuse(response, body.error);
    const { merchant_uid: merchantUid, name, amount, currency } = body.data;
    const data = { merchantUid, name, amount, currency };
    // In one statement, so that two requests at once register one order.
    const { count } = await database.order.createMany({ data, skipDuplicates: true });
    const order = await database.order.findUniqueOrThrow({ where: { merchantUid }, include });
    if (order.amount !== amount || order.currency !== currency) {
      const message = 'This merchant_uid is registered with another amount or currency.';
      return response.status(409).json({ error: { code: 'order_exists', message } });
    }
    response.status(count === 1 ? 201 : 200).json(toJson(order));
  });

  routes.get('/:merchant_uid', async (request, response) => {
    const parameters = z.object({ merchant_uid: merchantUidSchema }).safeParse(request.params);
    if (!parameters.success) return refuse(response, parameters.error);
    const where = { merchantUid: parameters.data.merchant_uid };
    const order = await database.order.findUnique({ where, include });
    if (order) return response.json(toJson(order));
    response.status(404).json({ error: { code: 'not_found', message: 'This order is not registered.' } });
  });

  return routes;
}

function refuse(response: Response, error: z.ZodError) {
  response.status(400).json({ error: { code: 'invalid_request', message: z.prettifyError(error) } });
}

const toJson = ({ payments, ...order }: Order & { payments: Payment[] }) => ({
  merchant_uid: order.merchantUid,
  name: order.name,
  amount: order.amount,
  currency: order.currency,
  status: order.status,
  payments: payments.map((payment) => ({
    svc_uid: payment.svcUid,
    status: payment.status,
    amount: payment.amount,
    cancel_amount: payment.cancelAmount,
    currency: payment.currency,
  })),
});
