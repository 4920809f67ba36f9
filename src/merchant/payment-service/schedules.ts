// Planned payments: plan, revoke, list (§4.8, §4.9).
import type { CardInput } from './billing-keys';
import type { Buyer } from './charges';
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
