// A schedule record as it comes (§2.5).
import { z } from 'zod';
import { check, type BadAnswer } from './check';
import { isCustomerUid, isMerchantUid, isSvcUid } from './identifiers';
import { toRawRecord } from './raw-record';
import { toPaymentStatus } from './read-payment';
import { amount, code, currency, text, timestamp } from './record-fields';
import type { ScheduleRecord } from './records';

const scheduleSchema = z.object({
  customer_uid: code(81), // one too long is none, not another one
  merchant_uid: z.string().refine(isMerchantUid),
  svc_uid: code(65),
  schedule_at: timestamp,
  executed_at: timestamp,
  revoked_at: timestamp,
  amount,
  currency,
  name: text(255),
  schedule_status: z.string(),
  payment_status: z.string().nullish(),
  fail_reason: text(500),
});

export function readSchedule(payload: unknown, bad: BadAnswer): ScheduleRecord {
  const fields = check(scheduleSchema, payload, bad);
  return {
    customerUid: isCustomerUid(fields.customer_uid) ? fields.customer_uid : null,
    merchantUid: fields.merchant_uid,
    svcUid: isSvcUid(fields.svc_uid) ? fields.svc_uid : null,
    scheduleAt: fields.schedule_at,
    executedAt: fields.executed_at,
    revokedAt: fields.revoked_at,
    amount: fields.amount,
    currency: fields.currency,
    name: fields.name,
    status: toScheduleStatus(fields.schedule_status),
    paymentStatus: fields.payment_status ? toPaymentStatus(fields.payment_status) : null,
    failReason: fields.fail_reason,
    get raw() {
      return toRawRecord(payload as object);
    },
  };
}

function toScheduleStatus(word: string): ScheduleRecord['status'] {
  return word === 'scheduled' || word === 'executed' || word === 'revoked' ? word : 'unknown';
}
