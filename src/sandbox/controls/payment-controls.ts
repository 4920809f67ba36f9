// The controls of payments, under /_sandbox/payments.
import { Router } from 'express';
import { paymentRecord } from '../payments/payment-record';
import type { PaymentActions } from './payment-actions';

export function paymentControls(actions: PaymentActions): Router {
  const routes = Router({ caseSensitive: true });
  routes.post('/', async (request, response) => {
    response.json(paymentRecord(await actions.pay(request.body)));
  });
  routes.post('/:svc_uid/deposit', async (request, response) => {
    response.json(paymentRecord(await actions.deposit(request.params.svc_uid)));
  });
  routes.post('/:svc_uid/cancel', async (request, response) => {
    response.json(paymentRecord(await actions.cancel(request.params.svc_uid, request.body ?? {})));
  });
  routes.post('/:svc_uid/tamper', (request, response) => {
    response.json(paymentRecord(actions.tamper(request.params.svc_uid, request.body)));
  });
  routes.post('/:svc_uid/notify', async (request, response) => {
    response.json({ notifications: await actions.notify(request.params.svc_uid, request.body ?? {}) });
  });
  return routes;
}
