// A scheduled payment as the API description shows it: planned, listed and revoked.

import type { z } from 'zod';
import type { revocationSchema, scheduleSchema } from './schedule-schema';

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
