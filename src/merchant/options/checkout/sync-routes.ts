// POST /api/payments/{svc_uid}/sync: a merchant's own checkout page syncs a payment as our return page does.

import { z } from 'zod';
import { merchantUidField, orderSchema } from '../../core/orders/order-schema';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import { paymentExample, paymentJson, paymentSchema } from '../../core/payments/payment-schema';
import { syncPayment, type SyncResult } from '../../core/payments/sync-payment';
import { NOTIFICATION_OUTCOMES, outcomesAnswered } from '../../core/webhooks/notification-outcomes';
import { isSvcUid } from '../../payment-service/identifiers';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { FieldError } from '../../platform/platform-errors';

const syncBody = strictBody({ merchant_uid: merchantUidField });

/** The answers with one HTTP status. The test button never calls this route. */
function syncedSchema(status: 200 | 400) {
  return z.strictObject({
    outcome: z.enum(outcomesAnswered(status).filter((outcome) => outcome !== 'test')),
    reason: z.string().optional().meta({ description: 'With `queued`: why it could not be checked now.' }),
    payment: paymentSchema
      .nullable()
      .meta({ description: 'As it is stored for this order; null where it is not.' }),
    order: orderSchema.shape.status
      .nullable()
      .meta({ description: 'The status of the order after it; null where there is none.' }),
  });
}

/** @param order as after the sync; null if it is not registered */
function syncedJson({ outcome, reason }: SyncResult, svcUid: string, order: StoredOrder | null) {
  const payment = order?.payments.find((each) => each.svcUid === svcUid);
  return {
    outcome,
    ...(reason !== null && { reason }),
    payment: payment ? paymentJson(payment) : null,
    order: order?.status ?? null,
  };
}

export const syncRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/payments/{svc_uid}/sync',
    scope: 'orders',
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
        description: 'It was checked and is false. A discrepancy is recorded.',
        schema: syncedSchema(400),
      },
    },
    async handle(context, { params, body, log }) {
      const { svc_uid: svcUid } = params;
      const { merchant_uid: merchantUid } = body;
      if (!isSvcUid(svcUid)) throw new FieldError('svc_uid', 'is no svc_uid');
      // Unlike a notification, a `queued` sync is not retried, because the caller asks again.
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
