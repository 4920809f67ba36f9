// Planned payments: plan, revoke, list (§4.8, §4.9).
import { toCardFields, type CardInput } from './billing-keys';
import type { Call } from './call';
import { toChargeFields, type Buyer } from './charges';
import { readList, readPage, toUnixSeconds } from './page';
import { readSchedule } from './read-schedule';
import type { Page, ScheduleRecord } from './records';

export type PlannedPayment = {
  merchantUid: string;
  scheduleAt: Date;
  amount: number;
  currency?: string | undefined;
  name?: string | undefined;
  buyer?: Buyer | undefined;
  customData?: string | undefined;
  noticeUrl?: string | undefined;
};

/** Query of §4.8; both ends are required there. */
export type SchedulesQuery = {
  scheduleFrom: Date;
  scheduleTo: Date;
  scheduleStatus?: ScheduleStatusFilter | undefined;
  page?: number | undefined;
  limit?: number | undefined;
  /** Oldest first; without it the newest scheduled time comes first. */
  sorting?: 'scheduled' | undefined;
};

export type ScheduleStatusFilter = 'scheduled' | 'executed' | 'revoked';

export type ScheduleOperations = {
  /** `card` only where the customer_uid has no key yet. */
  schedule(
    customerUid: string,
    payments: readonly PlannedPayment[],
    card?: CardInput,
  ): Promise<ScheduleRecord[]>;
  /** 'all' revokes every schedule of the key. It has to be said: on the wire an absent list means all. */
  unschedule(customerUid: string, merchantUids: readonly string[] | 'all'): Promise<ScheduleRecord[]>;
  /** §4.8 */
  getSchedules(query: SchedulesQuery): Promise<ScheduleRecord[]>;
  getScheduleByMerchantUid(merchantUid: string): Promise<ScheduleRecord>;
  getSchedulesOfBillingKey(
    customerUid: string,
    query?: {
      page?: number | undefined;
      from?: Date | undefined;
      to?: Date | undefined;
      scheduleStatus?: ScheduleStatusFilter | undefined;
    },
  ): Promise<Page<ScheduleRecord>>;
};

export function createScheduleOperations(call: Call): ScheduleOperations {
  return {
    async schedule(customerUid, payments, card) {
      const answer = await call({
        method: 'POST',
        path: '/subscribe/payments/schedule',
        body: {
          customer_uid: customerUid,
          ...(card && toCardFields(card)),
          schedules: payments.map((payment) => ({
            ...toChargeFields(payment),
            schedule_at: toUnixSeconds(payment.scheduleAt),
            currency: payment.currency,
          })),
        },
        list: true,
      });
      return readList(answer, readSchedule);
    },

    async unschedule(customerUid, merchantUids) {
      if (merchantUids.length === 0) return [];
      const answer = await call({
        method: 'POST',
        path: '/subscribe/payments/unschedule',
        body: {
          customer_uid: customerUid,
          merchant_uid: merchantUids === 'all' ? undefined : merchantUids,
        },
        list: true,
      });
      return readList(answer, readSchedule);
    },

    async getSchedules({ scheduleFrom, scheduleTo, scheduleStatus, page, limit, sorting }) {
      const answer = await call({
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
      return readList(answer, readSchedule);
    },

    async getScheduleByMerchantUid(merchantUid) {
      const { payload, bad } = await call({
        method: 'GET',
        path: '/subscribe/payments/schedule/{merchant_uid}',
        ids: { merchant_uid: merchantUid },
      });
      const schedule = readSchedule(payload, bad);
      if (schedule.merchantUid !== merchantUid) throw bad('the answer is about another merchant_uid');
      return schedule;
    },

    async getSchedulesOfBillingKey(customerUid, { page, from, to, scheduleStatus } = {}) {
      const answer = await call({
        method: 'GET',
        path: '/subscribe/payments/schedule/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
        query: {
          page,
          from: from && toUnixSeconds(from),
          to: to && toUnixSeconds(to),
          'schedule-status': scheduleStatus,
        },
        list: true,
      });
      return readPage(answer, readSchedule);
    },
  };
}
