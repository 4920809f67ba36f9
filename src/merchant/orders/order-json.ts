// An order as the merchant's own systems send and see it.

import { z } from 'zod';
import { isMerchantUid } from '../payment-service/identifiers';
import { paymentJson } from '../payments/payment-json';
import type { StoredOrder } from './order-store';

/** Lengths of merchant_uid and name are those of the service, so that an order can be charged there. */
const MERCHANT_UID_LENGTH = 40;
const NAME_LENGTH = 40;
/** §2.4 lists `USD`, `KRW`, `EUR`. */
const CURRENCIES = ['KRW', 'USD', 'EUR'] as const;

export const newOrderSchema = z.object({
  merchant_uid: z
    .string()
    .max(MERCHANT_UID_LENGTH)
    .refine(isMerchantUid, 'must be letters, digits, "_", "-" or ".", and not dots only'),
  name: z.string().trim().min(1).max(NAME_LENGTH),
  amount: z.int().positive(),
  currency: z.enum(CURRENCIES).default('KRW'),
  member_id: z.string().min(1).max(64).optional(),
});

export function orderJson(order: StoredOrder) {
  return {
    merchant_uid: order.merchantUid,
    name: order.name,
    amount: Number(order.amount),
    currency: order.currency,
    member_id: order.memberId,
    status: order.status,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    payments: order.payments.map(paymentJson),
  };
}
