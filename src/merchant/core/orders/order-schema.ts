// An order as the merchant's own systems send and see it.

import { z } from 'zod';
import type { OrderStatus } from '../../../generated/prisma/client';
import { isMerchantUid } from '../../payment-service/identifiers';
import { exactLine, strictBody, textLine } from '../../platform/http/body-fields';
import { keysetPageSchema } from '../../platform/http/query';
import { paymentJson, paymentSchema } from '../payments/payment-schema';
import { CURRENCIES } from './currencies';
import type { NewOrder, StoredOrder } from './order-store';
import {
  paymentShape,
  refineByAmount,
  refusedBesideCards,
  storedPaymentJson,
  storedPaymentShape,
  toPaymentFields,
} from './payment-fields-schema';

/** Lengths of merchant_uid and name are those of the service, so that an order can be charged there. */
const MERCHANT_UID_LENGTH = 40;
const NAME_LENGTH = 40;

export const merchantUidField = z
  .string()
  .max(MERCHANT_UID_LENGTH)
  .refine(isMerchantUid, 'must be letters, digits, "_", "-" or ".", and not dots only');

/** What is expected to be paid: of an order, and of the routes that register one on the way. */
export const orderShape = {
  merchant_uid: merchantUidField.meta({
    description: 'Your own id of the order; each order has one of its own.',
  }),
  name: textLine(NAME_LENGTH).meta({ description: 'What is bought, as the buyer sees it.' }),
  amount: z.int().positive().meta({ description: 'In the unit of `currency` (§2.4).' }),
  currency: z.enum(CURRENCIES).default('KRW'),
  member_id: exactLine(64)
    .optional()
    .meta({ description: 'Your own id of the member. Only keys of this member then pay for the order.' }),
};

export const newOrderSchema = strictBody({
  ...orderShape,
  ...paymentShape,
  ...refusedBesideCards,
}).superRefine(refineByAmount);

type OrderInput = z.output<z.ZodObject<typeof orderShape>> & Parameters<typeof toPaymentFields>[0];

/** The fields of an order from a request that may hold more than them. */
export function toNewOrder(input: OrderInput): NewOrder {
  const { merchant_uid: merchantUid, name, amount, currency, member_id: memberId = null } = input;
  return { merchantUid, name, amount, currency, memberId, ...toPaymentFields(input) };
}

const time = z.iso.datetime();

export const ORDER_STATUSES = [
  'open',
  'awaiting_deposit',
  'paid',
  'partially_cancelled',
  'cancelled',
  'failed',
  'closed',
] as const satisfies OrderStatus[];

export const orderSchema = z
  .strictObject({
    merchant_uid: z.string(),
    name: z.string(),
    amount: z.int().positive(),
    currency: z.string(),
    member_id: z.string().nullable(),
    status: z.enum(ORDER_STATUSES),
    created_at: time,
    updated_at: time,
    ...storedPaymentShape,
    payments: z.array(paymentSchema),
  })
  .meta({ id: 'Order', description: 'What the merchant expects to be paid, and what was paid.' });

export const orderListSchema = keysetPageSchema(orderSchema, 'OrderList');

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
    ...storedPaymentJson(order),
    payments: order.payments.map(paymentJson),
  };
}
