// Schedules in the API: create, revoke and list, and the errors of the payment service.

import { z } from 'zod';
import { fromUnixSeconds, MAX_UNIX_SECONDS } from '../../payment-service/records/record-fields';
import type { ShownRecord } from '../../payment-service/records/shown-record';
import { SCHEDULE_STATUSES, type ScheduleRecord } from '../../payment-service/schedules';
import { defineErrors } from '../../platform/errors';
import { strictBody } from '../../platform/http/body-fields';
import { toUnixSecondsOrZero } from '../../platform/http/query';
import { customerUidField } from '../charges/charge-schema';
import type { PlannedPayment } from '../charges/charge-store';
import { merchantUidField, orderShape, toNewOrder } from '../orders/order-schema';
import { refusedInSchedules, scheduledPaymentShape } from '../orders/payment-fields-schema';
import type { ScheduleRequest } from './schedule-payments';

export const scheduleErrors = defineErrors({
  schedule_refused: {
    status: 400,
    message: 'The payment service refused the schedule; the message is from the service.',
    remedy: 'Read the message; the orders can be scheduled or charged again.',
  },
  nothing_revoked: {
    status: 409,
    message: 'The payment service revoked nothing; the message is from the service.',
    remedy: 'See GET /api/schedules: executed and revoked schedules cannot be revoked.',
  },
});

/** Maximum per call. Our choice: §4.9 shows no limit. */
const MAX_SCHEDULES = 100;

/** UNIX seconds. The service checks by its own clock that the time is in the future. */
const scheduleAtField = z
  .int()
  .positive()
  .max(MAX_UNIX_SECONDS)
  .meta({ description: 'When it is due, in UNIX seconds.' });

const scheduleShape = {
  ...orderShape,
  ...scheduledPaymentShape,
  ...refusedInSchedules,
  schedule_at: scheduleAtField,
};
const listSchema = strictBody({
  customer_uid: customerUidField,
  schedules: z
    .array(strictBody(scheduleShape))
    .min(1)
    .max(MAX_SCHEDULES)
    .refine((payments) => new Set(payments.map((payment) => payment.merchant_uid)).size === payments.length, {
      message: 'each merchant_uid at most once',
    }),
}).meta({ title: 'several payments' });
const flatSchema = strictBody({
  ...scheduleShape,
  customer_uid: customerUidField,
  // Otherwise an invalid list would be parsed as a single schedule.
  schedules: z.never().optional(),
}).meta({ title: 'one payment' });

/** A list, or one schedule without a list. Error messages name the fields of the form that was used. */
export const scheduleSchema = z.union([listSchema, flatSchema], {
  error: ({ code, errors, input }) => {
    if (code !== 'invalid_union') return undefined;
    const isList = typeof input === 'object' && input !== null && 'schedules' in input;
    const problems = errors[isList ? 0 : 1] ?? [];
    return problems
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('; ');
  },
});

export function toScheduleRequest(body: z.output<typeof scheduleSchema>): ScheduleRequest {
  const payments = body.schedules ?? [body];
  return {
    customerUid: body.customer_uid,
    payments: payments.map((payment) => ({
      order: toNewOrder(payment),
      scheduleAt: fromUnixSeconds(payment.schedule_at),
    })),
  };
}

/**
 * Without merchant_uid: every schedule of the key. An empty list is refused, because the service would take it as all.
 */
export const revocationSchema = strictBody({
  customer_uid: customerUidField,
  merchant_uid: z
    .union([merchantUidField, z.array(merchantUidField).min(1).max(MAX_SCHEDULES)])
    .optional()
    .meta({ description: 'One order or several. Absent: every schedule of the key.' }),
});

const scheduledPaymentSchema = z
  .object({
    merchant_uid: z.string(),
    customer_uid: z.string().nullable(),
    schedule_at: z.int().meta({ description: 'UNIX seconds.' }),
    amount: z.int().positive(),
    currency: z.string().nullable(),
    name: z.string().nullable(),
  })
  .meta({ id: 'ScheduledPayment', description: 'A payment that is planned.' });

/** `unknown` (202): the answer was lost and is polled for. Until the outcome is known, the orders cannot be charged. */
export const scheduledSchema = z
  .object({ outcome: z.enum(['scheduled', 'unknown']), schedules: z.array(scheduledPaymentSchema) })
  .meta({ id: 'ScheduledPayments', description: 'The outcome of the request, and its payments.' });

/** `unknown` (202): the answer was lost. Revoking again is safe. */
export const revokedSchema = z
  .object({
    outcome: z.enum(['revoked', 'unknown']),
    schedules: z.array(scheduledPaymentSchema).meta({ description: 'Those that were revoked.' }),
  })
  .meta({ id: 'RevokedSchedules', description: 'The outcome of the request.' });

export function scheduledPaymentJson(
  payment: Pick<
    ScheduleRecord,
    'merchantUid' | 'customerUid' | 'scheduleAt' | 'amount' | 'currency' | 'name'
  >,
): z.output<typeof scheduledPaymentSchema> {
  const { merchantUid, customerUid, scheduleAt, amount, currency, name } = payment;
  return {
    merchant_uid: merchantUid,
    customer_uid: customerUid,
    schedule_at: toUnixSecondsOrZero(scheduleAt),
    amount,
    currency,
    name,
  };
}

/** A row of ours, so its times are ISO 8601. */
export const plannedPaymentSchema = z
  .strictObject({
    merchant_uid: z.string(),
    member_id: z.string().nullable(),
    customer_uid: z.string().nullable(),
    name: z.string(),
    amount: z.int().positive(),
    currency: z.string(),
    schedule_at: z.iso.datetime().meta({ description: 'When it is due.' }),
    status: z.enum(['pending', 'unknown', 'scheduled']).meta({
      description:
        '`scheduled`: the service holds it. `pending`, `unknown`: it may; the outcome is polled for.',
    }),
  })
  .meta({ id: 'PlannedPayment', description: 'A payment that is planned, as we have stored it.' });

export function plannedPaymentJson(row: PlannedPayment): z.output<typeof plannedPaymentSchema> {
  return {
    merchant_uid: row.merchantUid,
    member_id: row.memberId,
    customer_uid: row.customerUid,
    name: row.name,
    amount: Number(row.amount),
    currency: row.currency,
    schedule_at: row.scheduleAt.toISOString(),
    status: row.status as z.output<typeof plannedPaymentSchema>['status'],
  };
}

const time = z.int().min(0).meta({ description: 'UNIX seconds; 0 for never.' });

/** Fields that we check are typed; all others are passed on as received, cleaned. */
const serviceScheduleSchema = z
  .looseObject({
    customer_uid: z.string().nullable(),
    merchant_uid: z.string().nullable(),
    svc_uid: z.string().nullable().meta({ description: 'Null while there is no payment.' }),
    schedule_at: time,
    executed_at: time,
    revoked_at: time,
    amount: z.int().min(0).nullable(),
    name: z.string().nullable(),
    schedule_status: z
      .enum([...SCHEDULE_STATUSES, 'unknown'])
      .meta({ description: '`unknown`: a status that is not in the document.' }),
    payment_status: z
      .enum(['ready', 'paid', 'failed', 'cancelled', 'unknown'])
      .nullable()
      .meta({ description: 'Null when not yet executed.' }),
    fail_reason: z.string().nullable(),
    unreadable: z.array(z.string()).optional().meta({
      description:
        'Only on a record that cannot be read, at the end of the list: its fields that are missing or not as described. Its ids are as the service shows them.',
    }),
  })
  .meta({ id: 'ServiceSchedule', description: 'A payment schedule record of the service (§2.5).' });

export const serviceScheduleListSchema = z.array(serviceScheduleSchema);

export function serviceScheduleJson(record: ScheduleRecord): z.output<typeof serviceScheduleSchema> {
  return {
    ...record.raw,
    customer_uid: record.customerUid,
    merchant_uid: record.merchantUid,
    svc_uid: record.svcUid,
    schedule_at: toUnixSecondsOrZero(record.scheduleAt),
    executed_at: toUnixSecondsOrZero(record.executedAt),
    revoked_at: toUnixSecondsOrZero(record.revokedAt),
    amount: record.amount,
    name: record.name,
    schedule_status: record.status,
    payment_status: record.paymentStatus,
    fail_reason: record.failReason,
  };
}

export function unreadableScheduleJson(shown: ShownRecord): z.output<typeof serviceScheduleSchema> {
  return {
    customer_uid: shown.customerUid,
    merchant_uid: shown.merchantUid,
    svc_uid: shown.svcUid,
    schedule_at: 0,
    executed_at: 0,
    revoked_at: 0,
    amount: null,
    name: null,
    schedule_status: 'unknown',
    payment_status: null,
    fail_reason: null,
    unreadable: shown.fields,
  };
}

/** The examples schedule a payment, list it and revoke it. */
const scheduled = {
  merchant_uid: 'order-1003',
  // The first second of 2030 in UTC.
  schedule_at: 1_893_456_000,
  amount: 12_000,
  name: 'Green tea',
};
const customerUid = 'member-7-card-1';

export const scheduleExample = {
  customer_uid: customerUid,
  schedules: [scheduled],
} satisfies z.input<typeof scheduleSchema>;

const answered = [{ ...scheduled, customer_uid: customerUid, currency: 'KRW' }];
export const scheduledExample = { outcome: 'scheduled', schedules: answered };

export const revocationExample = {
  customer_uid: customerUid,
  merchant_uid: scheduled.merchant_uid,
} satisfies z.input<typeof revocationSchema>;

export const revokedExample = { outcome: 'revoked', schedules: answered };

/** As the service lists it, shortened. */
export const serviceScheduleListExample = [
  {
    ...scheduled,
    customer_uid: customerUid,
    currency: 'KRW',
    svc_uid: null,
    executed_at: 0,
    revoked_at: 0,
    schedule_status: 'scheduled',
    payment_status: null,
    fail_reason: null,
  },
];

export const plannedPaymentExample = {
  merchant_uid: scheduled.merchant_uid,
  member_id: 'member-7',
  customer_uid: customerUid,
  name: scheduled.name,
  amount: scheduled.amount,
  currency: 'KRW',
  schedule_at: '2030-01-01T00:00:00.000Z',
  status: 'scheduled',
} satisfies z.input<typeof plannedPaymentSchema>;
