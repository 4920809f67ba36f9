// GET /api/payments/{svc_uid}: a verified payment as it is stored.

import express, { type Router } from 'express';
import { RequestFault } from '../errors';
import { isSvcUid } from '../payment-service/identifiers';
import { paymentJson } from './payment-json';
import type { PaymentStore } from './payment-store';

export function createPaymentRoutes(store: Pick<PaymentStore, 'findPayment'>): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/payments/:svc_uid', async (request, response) => {
    const svcUid = request.params.svc_uid;
    const payment = isSvcUid(svcUid) ? await store.findPayment(svcUid) : null;
    if (!payment) throw new RequestFault(404, 'payment_not_found', 'No verified payment has this svc_uid.');
    response.json(paymentJson(payment));
  });
  return router;
}
