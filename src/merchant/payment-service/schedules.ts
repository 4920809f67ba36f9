// Scheduled payments: schedule, revoke, list (§4.8, §4.9).

import { z } from 'zod';
import { toChargeFields, type Buyer } from './charges';
import { isCustomerUid, isMerchantUid, isSvcUid } from './identifiers';
import { readList, readPage, type Listed, type Page } from './records/page';
import { toPaymentStatus } from './records/payment-record';
import {
  amount,
  currency,
  identifier,
  optionalIdentifier,
  readRecord,
  recordTable,
  text,
  timestamp,
  toUnixSeconds,
  type RecordOf,
  type ServiceResponse,
} from './records/record-fields';
import { unreadableRecord } from './records/shown-record';
import { call, type Connection } from './transport/client';

export type PaymentToSchedule = {
  merchantUid: string;
  scheduleAt: Date;
  amount: number;
  currency?: string | undefined;
  name?: string | undefined;
  buyer?: Buyer | undefined;
  customData?: string | undefined;
};

/** Of a schedule (§2.4). */
export const SCHEDULE_STATUSES = ['scheduled', 'executed', 'revoked'] as const;
type KnownScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** Query of §4.8; both ends are required. */
export type SchedulesQuery = {
  scheduleFrom: Date;
  scheduleTo: Date;
  scheduleStatus?: KnownScheduleStatus | undefined;
  page?: number | undefined;
  limit?: number | undefined;
  /** Oldest first. Default: newest scheduled time first. */
  sorting?: 'scheduled' | undefined;
};

/** Query of the schedules of one key (§4.9). Both ends are required here too, and `to` is exclusive. */
export type SchedulesOfBillingKeyQuery = {
  from: Date;
  to: Date;
  page?: number | undefined;
  scheduleStatus?: KnownScheduleStatus | undefined;
};

export function scheduleOperations(connection: Connection) {
  return {
    /** The customer_uid has a key. */
    async schedulePayments(
      customerUid: string,
      payments: readonly PaymentToSchedule[],
    ): Promise<ScheduleRecord[]> {
      const response = await call(connection, {
        method: 'POST',
        path: '/subscribe/payments/schedule',
        body: {
          customer_uid: customerUid,
          schedules: payments.map((payment) => ({
            ...toChargeFields(payment),
            schedule_at: toUnixSeconds(payment.scheduleAt),
            currency: payment.currency,
          })),
        },
        list: true,
      });
      const { list, unreadable } = readList(response, readSchedule);
      if (unreadable[0]) throw unreadableRecord('POST', '/subscribe/payments/schedule', unreadable[0]);
      return list;
    },

    /** 'all' revokes every schedule of the key. It has to be explicit: in the request, an absent list means all. */
    async unschedulePayments(
      customerUid: string,
      merchantUids: readonly string[] | 'all',
    ): Promise<ScheduleRecord[]> {
      if (merchantUids.length === 0) return [];
      const response = await call(connection, {
        method: 'POST',
        path: '/subscribe/payments/unschedule',
        body: {
          customer_uid: customerUid,
          merchant_uid: merchantUids === 'all' ? undefined : merchantUids,
        },
        list: true,
      });
      // One that cannot be read is polled for, like one that the answer leaves out.
      return readList(response, readSchedule).list;
    },

    /** §4.8 */
    async getSchedules(query: SchedulesQuery): Promise<Listed<ScheduleRecord>> {
      const { scheduleFrom, scheduleTo, scheduleStatus, page, limit, sorting } = query;
      const response = await call(connection, {
        method: 'GET',
        path: '/subscribe/payments/schedule',
        query: {
          schedule_from: toUnixSeconds(scheduleFrom),
          schedule_to: toUnixSeconds(scheduleTo),
          schedule_status: scheduleStatus,
          page,
          limit,
          sorting,
        },
        list: true,
      });
      return readList(response, readSchedule);
    },

    /** @throws ServiceError `not_found` if no schedule has this merchant_uid */
    async getScheduleByMerchantUid(merchantUid: string): Promise<ScheduleRecord> {
      const response = await call(connection, {
        method: 'GET',
        path: '/subscribe/payments/schedule/{merchant_uid}',
        ids: { merchant_uid: merchantUid },
      });
      const schedule = readSchedule(response);
      if (schedule.merchantUid === merchantUid) return schedule;
      throw response.invalidResponse('the answer is about another merchant_uid');
    },

    /** In both published shapes (§4.9). A plain array has no information about other pages: `next` is then 0. */
    async getSchedulesOfBillingKey(
      customerUid: string,
      { page, from, to, scheduleStatus }: SchedulesOfBillingKeyQuery,
    ): Promise<Page<ScheduleRecord>> {
      const response = await call(connection, {
        method: 'GET',
        path: '/subscribe/payments/schedule/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
        query: {
          page,
          from: toUnixSeconds(from),
          to: toUnixSeconds(to),
          'schedule-status': scheduleStatus,
        },
        list: true,
      });
      return readPage(response, readSchedule);
    },
  };
}

const scheduleTable = recordTable({
  customerUid: ['customer_uid', optionalIdentifier(isCustomerUid, 80)],
  merchantUid: ['merchant_uid', identifier(isMerchantUid)],
  /** Null as long as there is no payment. */
  svcUid: ['svc_uid', optionalIdentifier(isSvcUid, 64)],
  scheduleAt: ['schedule_at', timestamp],
  executedAt: ['executed_at', timestamp],
  revokedAt: ['revoked_at', timestamp],
  amount: ['amount', amount],
  currency: ['currency', currency],
  name: ['name', text(255)],
  status: [
    'schedule_status',
    z.string().transform((word) => SCHEDULE_STATUSES.find((status) => status === word) ?? 'unknown'),
  ],
  /** Null until the schedule is executed. */
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

/** @throws ServiceError `bad_answer` if the order, the amount or the status is missing or not as described */
export function readSchedule(response: ServiceResponse): ScheduleRecord {
  return readRecord(scheduleTable, response);
}
