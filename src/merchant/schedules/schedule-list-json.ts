// A planned payment as the service shows it (§2.5), under the document's names: what we check of it is typed, everything
// else is passed on as it came, cleaned.

import { z } from 'zod';
import { toUnixSeconds } from '../http/query';
import type { ScheduleRecord } from '../payment-service/records';

const time = z.int().min(0).meta({ description: 'UNIX seconds; 0 for never.' });

export const serviceScheduleSchema = z
  .looseObject({
    customer_uid: z.string().nullable(),
    merchant_uid: z.string(),
    svc_uid: z.string().nullable().meta({ description: 'Null while there is no payment.' }),
    schedule_at: time,
    executed_at: time,
    revoked_at: time,
    amount: z.int().min(0),
    name: z.string().nullable(),
    schedule_status: z
      .enum(['scheduled', 'executed', 'revoked', 'unknown'])
      .meta({ description: '`unknown` stands for a status that the document does not name.' }),
    payment_status: z
      .enum(['ready', 'paid', 'failed', 'cancelled', 'unknown'])
      .nullable()
      .meta({ description: 'Null when not yet executed.' }),
    fail_reason: z.string().nullable(),
  })
  .meta({ id: 'ServiceSchedule', description: 'A payment schedule record of the service (§2.5).' });

export const serviceScheduleListSchema = z.array(serviceScheduleSchema);

export function serviceScheduleJson(record: ScheduleRecord): z.output<typeof serviceScheduleSchema> {
  return {
    ...record.raw,
    customer_uid: record.customerUid,
    merchant_uid: record.merchantUid,
    svc_uid: record.svcUid,
    schedule_at: toUnixSeconds(record.scheduleAt),
    executed_at: toUnixSeconds(record.executedAt),
    revoked_at: toUnixSeconds(record.revokedAt),
    amount: record.amount,
    name: record.name,
    schedule_status: record.status,
    payment_status: record.paymentStatus,
    fail_reason: record.failReason,
  };
}
