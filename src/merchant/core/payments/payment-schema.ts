// A stored payment as the merchant's own systems see it, under the document's names.

import { z } from 'zod';
import { columnSchemas, columnsJson } from './payment-columns';
import type { StoredPayment } from './payment-store';

export const paymentSchema = z
  .strictObject({ svc_uid: z.string(), merchant_uid: z.string(), ...columnSchemas })
  .meta({ id: 'Payment', description: 'A payment that was re-fetched from the service and fits its order.' });

export function paymentJson(payment: StoredPayment) {
  return { svc_uid: payment.svcUid, merchant_uid: payment.merchantUid, ...columnsJson(payment) };
}
