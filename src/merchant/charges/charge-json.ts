// A charge with a stored key, as the merchant's own systems ask for it and are told of it.

import { z } from 'zod';
import { isCustomerUid } from '../payment-service/identifiers';

export const customerUidField = z
  .string()
  .refine(isCustomerUid, 'must be letters, digits, "_" or "-", at most 80');

export const chargeSchema = z.object({ customer_uid: customerUidField });

/** `unknown` (202): the answer was lost, and the outcome is being found out; until then the order cannot be charged. */
export const chargedSchema = z.object({
  outcome: z.enum(['paid', 'unknown']),
  order: z.looseObject({ merchant_uid: z.string(), status: z.string() }).meta({
    description: 'The order as GET /api/orders/{merchant_uid} shows it.',
  }),
});
