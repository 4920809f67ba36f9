// Planned payments as the merchant's own systems ask for them, take them back and are told of them.

import { z } from 'zod';
import { customerUidField } from '../charges/charge-json';
import { parseRequest } from '../http/parse-request';
import { toUnixSeconds } from '../http/query';
import { newOrderSchema } from '../orders/order-json';
import type { ScheduleRecord } from '../payment-service/records';
import type { PlanRequest } from './plan-payments';

/** What one call plans: the limit of ours; the document shows none. */
const MAX_PLANS = 100;
const MAX_UNIX_SECONDS = 253_402_300_799;

/** UNIX seconds. Whether that is in the future is said by the service, whose clock decides. */
const scheduleAtField = z.int().positive().max(MAX_UNIX_SECONDS);

const merchantUidField = newOrderSchema.shape.merchant_uid;

const orderSchema = newOrderSchema.extend({ schedule_at: scheduleAtField });
const listSchema = z.object({
  customer_uid: customerUidField,
  schedules: z
    .array(orderSchema)
    .min(1)
    .max(MAX_PLANS)
    .refine((orders) => new Set(orders.map((order) => order.merchant_uid)).size === orders.length, {
      message: 'each merchant_uid at most once',
    }),
});
const flatSchema = orderSchema.extend({ customer_uid: customerUidField });

/** A list, or one plan without the list around it. */
export const planSchema = z.union([listSchema, flatSchema]);

/** Without merchant_uid every plan of the key. An empty list is refused: on the wire it would mean all. */
export const revocationSchema = z.object({
  customer_uid: customerUidField,
  merchant_uid: z.union([merchantUidField, z.array(merchantUidField).min(1).max(MAX_PLANS)]).optional(),
});

const plannedPaymentSchema = z.object({
  merchant_uid: z.string(),
  customer_uid: z.string().nullable(),
  schedule_at: z.int().meta({ description: 'UNIX seconds.' }),
  amount: z.int().positive(),
  currency: z.string().nullable(),
  name: z.string().nullable(),
});

/** `unknown` (202): the answer was lost, and the outcome is being found out; until then the orders cannot be charged. */
export const plannedSchema = z.object({
  outcome: z.enum(['planned', 'unknown']),
  schedules: z.array(plannedPaymentSchema),
});

/** `unknown` (202): the answer was lost. Revoking again does no harm. */
export const revokedSchema = z.object({
  outcome: z.enum(['revoked', 'unknown']),
  schedules: z.array(plannedPaymentSchema).meta({ description: 'Those that were revoked.' }),
});

/** @throws RequestFault 400 `invalid_request`, which names the fields of the form that was meant */
export function readPlan(body: unknown): PlanRequest {
  const isList = typeof body === 'object' && body !== null && 'schedules' in body;
  const request = isList ? parseRequest(listSchema, body) : parseRequest(flatSchema, body);
  const orders = 'schedules' in request ? request.schedules : [request];
  return {
    customerUid: request.customer_uid,
    plans: orders.map(({ merchant_uid, name, amount, currency, member_id, schedule_at }) => ({
      order: { merchantUid: merchant_uid, name, amount, currency, memberId: member_id ?? null },
      scheduleAt: new Date(schedule_at * 1000),
    })),
  };
}

type PlannedPayment = Pick<
  ScheduleRecord,
  'merchantUid' | 'customerUid' | 'scheduleAt' | 'amount' | 'currency' | 'name'
>;

export function plannedPaymentJson(payment: PlannedPayment): z.output<typeof plannedPaymentSchema> {
  const { merchantUid, customerUid, scheduleAt, amount, currency, name } = payment;
  return {
    merchant_uid: merchantUid,
    customer_uid: customerUid,
    schedule_at: toUnixSeconds(scheduleAt),
    amount,
    currency,
    name,
  };
}
