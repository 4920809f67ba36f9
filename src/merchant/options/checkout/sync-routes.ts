// POST /api/payments/{svc_uid}/sync: a checkout of the merchant asks for what the return page asks for by itself.

import { findOrder } from '../../core/orders/order-store';
import { paymentExample } from '../../core/payments/payment-schema';
import { syncPayment } from '../../core/payments/sync-payment';
import { NOTIFICATION_OUTCOMES } from '../../core/webhooks/notification-outcomes';
import { isSvcUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { platformErrors } from '../../platform/platform-errors';
import { syncBody, syncedJson, syncedSchema } from './sync-schema';

export const syncRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/payments/{svc_uid}/sync',
    summary: 'Look at this payment now, as a notification of it would (§4.4)',
    body: syncBody,
    example: { merchant_uid: 'order-1001' },
    answers: {
      200: {
        description:
          'It fits and is stored, or (`queued`) it could not be checked now. Nothing is tried again for this request: ask again after a while.',
        schema: syncedSchema(200),
        example: { outcome: 'unchanged', payment: paymentExample, order: 'paid' },
      },
      400: {
        description: 'It was checked and is false. A discrepancy is noted.',
        schema: syncedSchema(400),
      },
    },
    async handle(context, { params, body, log }) {
      const { svc_uid: svcUid } = params;
      const { merchant_uid: merchantUid } = body;
      if (!isSvcUid(svcUid)) throw new HttpError(platformErrors.invalid_request, 'svc_uid: is no svc_uid');
      // Unlike a notification, a `queued` one is not retried: it would be for nobody, once the caller has asked again.
      const result = await syncPayment(context, { svcUid, merchantUid });
      log({ svc_uid: svcUid, merchant_uid: merchantUid, outcome: result.outcome });
      const order = await findOrder(context, merchantUid);
      return {
        status: NOTIFICATION_OUTCOMES[result.outcome].status,
        body: syncedJson(result, svcUid, order),
      };
    },
  }),
];
