// A schedule and its record (§2.5). It holds the order; the payment is created when the schedule is executed.

import type { Order } from '../payments/order';
import type { Payment } from '../payments/payment';

export type ScheduleStatus = 'scheduled' | 'executed' | 'revoked';

export type Schedule = Order & {
  id: number;
  customerUid: string;
  scheduleAt: number;
  /** UNIX seconds, 0 for never. */
  executedAt: number;
  revokedAt: number;
  status: ScheduleStatus;
  svcUid: string | null;
};

/**
 * `payment` is undefined before the execution. §2.5 requires svc_uid, but until then there is none; our choice is
 * null.
 */
export function scheduleRecord(schedule: Schedule, payment: Payment | undefined) {
  return {
    code: 0,
    message: null,
    customer_uid: schedule.customerUid,
    merchant_uid: schedule.merchantUid,
    svc_uid: schedule.svcUid,
    schedule_at: schedule.scheduleAt,
    executed_at: schedule.executedAt,
    revoked_at: schedule.revokedAt,
    amount: schedule.amount,
    currency: schedule.currency,
    name: schedule.name,
    buyer_name: schedule.buyer?.name ?? null,
    buyer_email: schedule.buyer?.email ?? null,
    buyer_tel: schedule.buyer?.tel ?? null,
    buyer_addr: schedule.buyer?.addr ?? null,
    buyer_postcode: schedule.buyer?.postcode ?? null,
    custom_data: schedule.customData,
    schedule_status: schedule.status,
    payment_status: payment?.status ?? null,
    fail_reason: payment?.failReason ?? null,
  };
}
