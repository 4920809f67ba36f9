// Orders and the verified payments of them, as they are stored.

import { z } from 'zod';
import { newOrderSchema } from '../orders/order-json';
import { API_ERRORS, BODY_ERRORS } from './error-codes';
import { jsonBody, type RouteDescription } from './route-description';

const text = z.string().nullable();
const time = z.iso.datetime();

export const paymentSchema = z
  .strictObject({
    svc_uid: z.string(),
    merchant_uid: z.string(),
    status: z.enum(['ready', 'paid', 'cancelled', 'failed']),
    amount: z.int().min(0),
    cancel_amount: z.int().min(0),
    currency: z.string(),
    pay_method: text,
    pg_provider: text,
    pg_tid: text,
    apply_num: text,
    card_name: text,
    card_number: text.meta({ description: 'Masked.' }),
    customer_uid: text,
    fail_reason: text,
    cancel_reason: text,
    receipt_url: text,
    started_at: time.nullable(),
    paid_at: time.nullable(),
    failed_at: time.nullable(),
    cancelled_at: time.nullable(),
    counted: z.boolean().meta({ description: 'False where the payment does not pay for its order.' }),
    fetched_at: time,
    record: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The whole fetched record (§2.4), under the document’s names.' }),
  })
  .meta({ id: 'Payment', description: 'A payment that was re-fetched from the service and fits its order.' });

export const orderSchema = z
  .strictObject({
    merchant_uid: z.string(),
    name: z.string(),
    amount: z.int().positive(),
    currency: z.string(),
    member_id: text,
    status: z.enum(['open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed']),
    created_at: time,
    updated_at: time,
    payments: z.array(paymentSchema),
  })
  .meta({ id: 'Order', description: 'What the merchant expects to be paid, and what was paid.' });

export const orderDescriptions: RouteDescription[] = [
  {
    method: 'post',
    path: '/api/orders',
    summary: 'Register what is expected to be paid',
    access: 'key',
    body: jsonBody(newOrderSchema),
    answers: {
      201: { description: 'Registered.', schema: orderSchema },
      200: { description: 'The same order again: nothing has changed.', schema: orderSchema },
    },
    errors: [...API_ERRORS, ...BODY_ERRORS, 'order_conflict'],
  },
  {
    method: 'get',
    path: '/api/orders/{merchant_uid}',
    summary: 'An order with its payments',
    access: 'key',
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: [...API_ERRORS, 'order_not_found', 'malformed_path'],
  },
  {
    method: 'get',
    path: '/api/payments/{svc_uid}',
    summary: 'A verified payment as it is stored',
    access: 'key',
    answers: { 200: { description: 'The payment.', schema: paymentSchema } },
    errors: [...API_ERRORS, 'payment_not_found', 'malformed_path'],
  },
];
