// The controls of payments, under /_sandbox/payments.

import { Router } from 'express';
import type { Service } from '../service';
import {
  cancelInConsole,
  depositAsBuyer,
  notifyByHand,
  payAsBuyer,
  tamperWithPayment,
} from './payment-actions';

export function paymentControls(service: Service): Router {
  const routes = Router({ caseSensitive: true });
  routes.post('/', async (request, response) => {
    response.json(service.payments.recordOf(await payAsBuyer(service, request.body)));
  });
  routes.post('/:svc_uid/deposit', async (request, response) => {
    response.json(service.payments.recordOf(await depositAsBuyer(service, request.params.svc_uid)));
  });
  routes.post('/:svc_uid/cancel', async (request, response) => {
    response.json(
      service.payments.recordOf(await cancelInConsole(service, request.params.svc_uid, request.body ?? {})),
    );
  });
  routes.post('/:svc_uid/tamper', (request, response) => {
    response.json(
      service.payments.recordOf(tamperWithPayment(service, request.params.svc_uid, request.body)),
    );
  });
  routes.post('/:svc_uid/notify', async (request, response) => {
    response.json({ notifications: await notifyByHand(service, request.params.svc_uid, request.body ?? {}) });
  });
  return routes;
}
