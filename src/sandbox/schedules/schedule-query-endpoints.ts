// Shows schedules: by period (§4.8), by order and by billing key (§4.9).

import { z } from 'zod';
import { HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields, wholeNumber } from '../http/fields';
import { DEFAULT_LIMIT, limitField, paged, pageField } from '../http/paging';
import type { Settings } from '../notifications/settings';
import type { PaymentStore } from '../payments/payment-store';
import { scheduleRecord, type Schedule } from './schedule';
import type { ScheduleStore } from './schedule-store';

const statusField = optional(z.enum(['scheduled', 'executed', 'revoked']));

const periodSchema = z.object({
  schedule_from: wholeNumber(0),
  schedule_to: wholeNumber(0),
  schedule_status: statusField,
  page: optional(pageField),
  limit: optional(limitField),
  // §4.8 has `scheduled` (oldest first) and a default without a name (newest first). Our choice: `-scheduled` names it.
  sorting: optional(z.enum(['scheduled', '-scheduled'])),
});

// Both paths answer the same list.
const OF_KEY_PATHS = [
  '/subscribe/payments/schedule/customers/:customer_uid',
  '/subscribe/customers/:customer_uid/schedules',
];

const ofKeySchema = z.object({
  from: wholeNumber(0),
  to: wholeNumber(0),
  page: optional(pageField),
  'schedule-status': statusField,
  schedule_status: statusField,
});

type Stores = { schedules: ScheduleStore; payments: PaymentStore; settings: Settings };

export function scheduleQueryEndpoints({ schedules, payments, settings }: Stores): Endpoint[] {
  const record = (schedule: Schedule) =>
    scheduleRecord(schedule, schedule.svcUid === null ? undefined : payments.find(schedule.svcUid));
  return [
    {
      method: 'GET',
      path: '/subscribe/payments/schedule',
      access: 'legacy',
      handle: ({ query }) => {
        const fields = parseFields(periodSchema, query);
        const { page = 1, limit = DEFAULT_LIMIT, schedule_from: from, schedule_to: to } = fields;
        if (from > to) throw new HttpError(400, 'schedule_from: later than schedule_to');
        const found = schedules.find({ from, to, status: fields.schedule_status });
        if (fields.sorting !== 'scheduled') found.reverse();
        return success(found.slice((page - 1) * limit, page * limit).map(record));
      },
    },
    {
      method: 'GET',
      path: '/subscribe/payments/schedule/:merchant_uid',
      access: 'legacy',
      handle: ({ params }) => {
        const schedule = schedules.ofOrder(params.merchant_uid ?? '');
        if (!schedule) throw new HttpError(404, 'merchant_uid: no such schedule');
        return success(record(schedule));
      },
    },
    ...OF_KEY_PATHS.map((path): Endpoint => ({
      method: 'GET',
      path,
      access: 'legacy',
      // Schedules of a deleted key are shown, so an unknown key gives an empty list instead of an error.
      handle: ({ params, query }) => {
        const { from, to, page = 1, ...fields } = parseFields(ofKeySchema, query);
        if (from > to) throw new HttpError(400, 'from: later than to');
        const status = fields['schedule-status'] ?? fields.schedule_status;
        const found = schedules.find({ from, to, status, customerUid: params.customer_uid ?? '' }).reverse();
        const list = found.slice((page - 1) * DEFAULT_LIMIT, page * DEFAULT_LIMIT).map(record);
        const isArray = settings.get().billing_key_schedules_shape === 'array';
        return success(isArray ? list : paged(found.length, page, DEFAULT_LIMIT, list));
      },
    })),
  ];
}
