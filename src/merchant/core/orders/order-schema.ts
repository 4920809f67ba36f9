// An order in the API, in requests and answers, and the errors of its routes.

import { z } from 'zod';
import { isMerchantUid } from '../../payment-service/identifiers';
import { defineErrors } from '../../platform/errors';
import { exactLine, strictBody, textLine } from '../../platform/http/body-fields';
import { paymentExample, paymentJson, paymentSchema } from '../payments/payment-schema';
import type { NewOrder, StoredOrder } from './order-store';
import {
  paymentShape,
  refineByAmount,
  refusedBesideCards,
  storedFieldsJson,
  storedFieldsShape,
  toPaymentFields,
} from './payment-fields-schema';
import { orderRow } from './row';

export const orderErrors = defineErrors({
  order_not_found: {
    status: 404,
    message: 'No order has this merchant_uid.',
    remedy: 'Register it with POST /api/orders.',
  },
  order_not_closable: {
    status: 409,
    message: 'The order has a payment, or one is in progress.',
    remedy:
      'Read GET /api/orders/{merchant_uid}; refund the payment instead, or wait for the outcome of its charge.',
  },
  order_conflict: {
    status: 409,
    message: 'The merchant_uid is registered with another amount, currency or member.',
    remedy: 'Use a new merchant_uid for another order.',
  },
});

/** The currencies of §2.4. To add one, extend this list. */
const CURRENCIES = ['KRW', 'USD', 'EUR'] as const;

/** The service's limits for merchant_uid and name, so that the order can be charged there. */
const MERCHANT_UID_LENGTH = 40;
const NAME_LENGTH = 40;

export const merchantUidField = z
  .string()
  .max(MERCHANT_UID_LENGTH)
  .refine(isMerchantUid, 'must be letters, digits, "_", "-" or ".", and not dots only');

export const memberIdField = exactLine(64);

/** The fields of a new order, also used by routes that register an order on the way. */
export const orderShape = {
  merchant_uid: merchantUidField.meta({
    description: 'Your unique id of the order.',
  }),
  name: textLine(NAME_LENGTH).meta({ description: 'What is bought, as the buyer sees it.' }),
  amount: z.int().positive().meta({ description: 'In the unit of `currency` (§2.4).' }),
  currency: z.enum(CURRENCIES).default('KRW'),
  member_id: memberIdField
    .optional()
    .meta({ description: 'Your own id of the member. Only keys of this member then pay for the order.' }),
};

export const newOrderSchema = strictBody({
  ...orderShape,
  ...paymentShape,
  ...refusedBesideCards,
}).superRefine(refineByAmount);

type OrderInput = z.output<z.ZodObject<typeof orderShape>> & Parameters<typeof toPaymentFields>[0];

/** Reads the fields of an order from a request that may have more fields. */
export function toNewOrder(input: OrderInput): NewOrder {
  const { merchant_uid: merchantUid, name, amount, currency, member_id: memberId = null } = input;
  return { merchantUid, name, amount, currency, memberId, ...toPaymentFields(input) };
}

export const orderSchema = z
  .strictObject({ ...orderRow.shape, ...storedFieldsShape, payments: z.array(paymentSchema) })
  .meta({ id: 'Order', description: 'What the merchant expects to be paid, and what was paid.' });

export function orderJson(order: StoredOrder): z.output<typeof orderSchema> {
  return { ...orderRow.json(order), ...storedFieldsJson(order), payments: order.payments.map(paymentJson) };
}

export const newOrderExample = {
  merchant_uid: 'order-1001',
  name: 'Green tea',
  amount: 12_000,
  currency: 'KRW',
  member_id: 'member-7',
  buyer: { name: '김하나', email: 'hana@example.com' },
  custom_data: { cart: 'c-42' },
} satisfies z.input<typeof newOrderSchema>;

export const openOrderExample = {
  ...orderRow.example,
  buyer: { ...newOrderExample.buyer, tel: null, addr: null, postcode: null },
  custom_data: newOrderExample.custom_data,
  payments: [],
} satisfies z.input<typeof orderSchema>;

export const paidOrderExample = {
  ...openOrderExample,
  status: 'paid',
  updated_at: paymentExample.fetched_at,
  payments: [paymentExample],
} satisfies z.input<typeof orderSchema>;
