// A sync that the merchant's own systems ask for: the claim, and what came of it.

import { z } from 'zod';
import { merchantUidField, orderSchema } from '../../core/orders/order-schema';
import type { StoredOrder } from '../../core/orders/order-store';
import { paymentJson, paymentSchema } from '../../core/payments/payment-schema';
import type { SyncResult } from '../../core/payments/sync-payment';
import { outcomesAnswered } from '../../core/webhooks/notification-outcomes';
import { strictBody } from '../../platform/http/body-fields';

export const syncBody = strictBody({ merchant_uid: merchantUidField });

/** What is answered with one HTTP status. No request of this route is the test button's. */
export function syncedSchema(status: 200 | 400) {
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

/** @param order as it is after the sync; null where it is not registered */
export function syncedJson({ outcome, reason }: SyncResult, svcUid: string, order: StoredOrder | null) {
  const payment = order?.payments.find((each) => each.svcUid === svcUid);
  return {
    outcome,
    ...(reason !== null && { reason }),
    payment: payment ? paymentJson(payment) : null,
    order: order?.status ?? null,
  };
}
