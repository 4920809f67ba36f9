// A notification says which payment to look at. What is true is what we fetch with our own token.

import { BlockList, isIP } from 'node:net';
import express, { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from './context';
import type { Order, Payment } from './generated/prisma/client';
import { id, withSvcUid, type FetchedPayment } from './payment-service';

const notificationSchema = z.object({ svc_uid: id, merchant_uid: id });

/** For a connection and for the transaction. The service waits 30 s for our answer (§6.3). */
const WAITS = { maxWait: 10_000, timeout: 10_000 };
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Refuses a sender that is not listed (§6.3), before the body is read. */
function requireListedSender(addresses: string[]): RequestHandler {
  const listed = new BlockList();
  for (const address of addresses) {
    const [network = '', prefix] = address.split('/');
    if (prefix === undefined) listed.addAddress(network, familyOf(network));
    else listed.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (request, response, next) => {
    const address = request.ip ?? '';
    if (isIP(address) && listed.check(address, familyOf(address))) return next();
    response.sendStatus(403);
  };
}

export function webhookRoutes({ settings, database, service, logger }: Context): Router {
  const routes = Router();
  const listed = requireListedSender(settings.WEBHOOK_SOURCE_ADDRESSES);
  const schema = withSvcUid(settings.SERVICE_NAME_PREFIX, notificationSchema);

  routes.post('/payments', listed, express.json(), express.urlencoded(), async (request, response) => {
    const body = schema.safeParse(request.body ?? {});
    if (!body.success)
      return response.status(400).json({ outcome: 'malformed', message: z.prettifyError(body.error) });
    const outcome = await check(body.data);
    logger.info({ ...body.data, outcome }, 'notification');
    response.status(['recorded', 'unchanged'].includes(outcome) ? 200 : 400).json({ outcome });
  });

  async function check({ svc_uid: svcUid, merchant_uid: merchantUid }: z.infer<typeof notificationSchema>) {
    const payment = await service.findPayment(svcUid);
    if (!payment) return 'unknown_payment';
    const order = await database.order.findUnique({ where: { merchantUid } });
    if (!order) return 'unknown_order';
    const mismatch = compare(payment, order, svcUid);
    if (mismatch) return mismatch;
    return record(payment);
  }

  async function record(payment: FetchedPayment) {
    const { svc_uid: svcUid, merchant_uid: merchantUid, status, amount, currency } = payment;
    const cancelAmount = payment.cancel_amount ?? 0;
    const known = await database.payment.findUnique({ where: { svcUid } });
    if (known?.status === status && known.cancelAmount === cancelAmount) return 'unchanged';
    await database.$transaction(async (transaction) => {
      const data = { merchantUid, status, amount, cancelAmount, currency };
      await transaction.payment.upsert({ where: { svcUid }, create: { svcUid, ...data }, update: data });
      const payments = await transaction.payment.findMany({ where: { merchantUid } });
      await transaction.order.update({ where: { merchantUid }, data: { status: orderStatus(payments) } });
    }, WAITS);
    return 'recorded';
  }

  return routes;
}

/** Does the payment belong to the order, and is it what the order expects? An amount that differs means forgery (§6.4). */
function compare(payment: FetchedPayment, order: Order, svcUid: string) {
  if (payment.svc_uid !== svcUid || payment.merchant_uid !== order.merchantUid) return 'order_mismatch';
  if (payment.amount !== order.amount) return 'amount_mismatch';
  if (payment.currency !== order.currency) return 'currency_mismatch';
  return null;
}

const STATUSES = ['failed', 'awaiting_deposit', 'cancelled', 'partially_cancelled', 'paid'];

/** The payment that got furthest decides: a failed try beside a paid one does not undo it. */
function orderStatus(payments: Payment[]): string {
  const reached = payments.map(({ status, amount, cancelAmount }) => {
    if (status === 'ready') return 'awaiting_deposit';
    return cancelAmount > 0 && cancelAmount < amount ? 'partially_cancelled' : status;
  });
  return STATUSES.findLast((status) => reached.includes(status)) ?? 'open';
}
