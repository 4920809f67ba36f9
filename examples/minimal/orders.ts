// The shop's own systems register what they expect to be paid, and read what became of it.

import { createHash, timingSafeEqual } from 'node:crypto';
import express, { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import type { App } from './app';

const orderSchema = z.strictObject({
  merchant_uid: z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/),
  name: z.string().min(1).max(40),
  amount: z.int().min(1).max(2_147_483_647),
  currency: z.enum(['KRW', 'USD', 'EUR']).default('KRW'),
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function requireKey(apiKey: string): RequestHandler {
  const expected = sha256(`Bearer ${apiKey}`);
  return (request, response, next) => {
    if (timingSafeEqual(sha256(request.headers.authorization ?? ''), expected)) return next();
    response
      .status(401)
      .json({ error: { code: 'unauthorized', message: 'The API key is missing or wrong.' } });
  };
}

export function orderRoutes({ settings, database }: App): Router {
  const routes = Router();
  routes.use(requireKey(settings.API_KEY));

  routes.post('/', express.json({ limit: '16kb' }), async (request, response) => {
    const body = orderSchema.safeParse(request.body);
    if (!body.success) {
      const message = z.prettifyError(body.error);
      return response.status(400).json({ error: { code: 'invalid_request', message } });
    }
    const { merchant_uid: merchantUid, name, amount, currency } = body.data;
    const data = { merchantUid, name, amount, currency };
    // In one statement, so that two requests at once register one order.
    const { count } = await database.order.createMany({ data, skipDuplicates: true });
    const order = await database.order.findUniqueOrThrow({
      where: { merchantUid },
      include: { payments: true },
    });
    if (order.amount !== amount || order.currency !== currency) {
      const message = 'This merchant_uid is registered with another amount or currency.';
      return response.status(409).json({ error: { code: 'order_exists', message } });
    }
    response.status(count === 1 ? 201 : 200).json(toJson(order));
  });

  routes.get('/:merchantUid', async (request, response) => {
    const { merchantUid } = request.params;
    const order = await database.order.findUnique({ where: { merchantUid }, include: { payments: true } });
    if (order) return response.json(toJson(order));
    response.status(404).json({ error: { code: 'not_found', message: 'This order is not registered.' } });
  });

  return routes;
}

type Order = { merchantUid: string; name: string; amount: number; currency: string; status: string };
type Payment = { svcUid: string; status: string; amount: number; cancelAmount: number; currency: string };

const toJson = ({
  merchantUid,
  name,
  amount,
  currency,
  status,
  payments,
}: Order & { payments: Payment[] }) => ({
  merchant_uid: merchantUid,
  name,
  amount,
  currency,
  status,
  payments: payments.map((payment) => ({
    svc_uid: payment.svcUid,
    status: payment.status,
    amount: payment.amount,
    cancel_amount: payment.cancelAmount,
    currency: payment.currency,
  })),
});
