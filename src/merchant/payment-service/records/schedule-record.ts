// The schedule record of §2.5.

import { z } from 'zod';
import { isCustomerUid, isMerchantUid, isSvcUid } from '../identifiers';
import { toPaymentStatus } from './payment-record';
import {
  amount,
  currency,
  identifier,
  optionalIdentifier,
  readRecord,
  recordTable,
  text,
  timestamp,
  type RecordOf,
  type ServiceResponse,
} from './record-fields';

const scheduleTable = recordTable({
  customerUid: ['customer_uid', optionalIdentifier(isCustomerUid, 80)],
  merchantUid: ['merchant_uid', identifier(isMerchantUid)],
  /** Null while there is no payment. */
  svcUid: ['svc_uid', optionalIdentifier(isSvcUid, 64)],
  scheduleAt: ['schedule_at', timestamp],
  executedAt: ['executed_at', timestamp],
  revokedAt: ['revoked_at', timestamp],
  amount: ['amount', amount],
  currency: ['currency', currency],
  name: ['name', text(255)],
  status: ['schedule_status', z.string().transform(toScheduleStatus)],
  /** Null while it has not been executed. */
  paymentStatus: [
    'payment_status',
    z
      .string()
      .nullish()
      .transform((word) => (word ? toPaymentStatus(word) : null)),
  ],
  failReason: ['fail_reason', text(500)],
});

export type ScheduleRecord = RecordOf<typeof scheduleTable>;

/** @throws ServiceError `bad_answer` where the order, the amount or the status is missing or not as described */
export function readSchedule(response: ServiceResponse): ScheduleRecord {
  return readRecord(scheduleTable, response);
}

function toScheduleStatus(word: string): 'scheduled' | 'executed' | 'revoked' | 'unknown' {
  return word === 'scheduled' || word === 'executed' || word === 'revoked' ? word : 'unknown';
}
