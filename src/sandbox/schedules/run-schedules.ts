// Schedules at their time (§3, §6.1): the payment is attempted with the key that is stored then, and the notification
// goes out whether it was paid or failed, in both generations.
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import type { Notifier } from '../notifications/notifier';
import { chargeKey } from '../payments/charge-key';
import type { PaymentStore } from '../payments/payment-store';
import type { Timeline } from '../state/timeline';
import type { Schedule } from './schedule';
import type { ScheduleStore } from './schedule-store';

export type ScheduleRunner = {
  /** Puts the schedule on the timeline; one already past is executed as soon as possible. */
  plan: (schedule: Schedule) => void;
};

type Dependencies = {
  schedules: ScheduleStore;
  payments: PaymentStore;
  billingKeys: BillingKeyStore;
  notifier: Notifier;
  timeline: Timeline;
  now: () => number;
};

export function createScheduleRunner(service: Dependencies): ScheduleRunner {
  const { schedules, payments, billingKeys, notifier, timeline, now } = service;

  async function execute(schedule: Schedule) {
    if (schedule.status !== 'scheduled') return;
    const { customerUid } = schedule;
    const customer = { customerUid, customerUidUsage: 'payment.scheduled' as const };
    const payment = chargeKey(payments, orderOf(schedule), billingKeys.find(customerUid), customer, now());
    schedules.change(schedule, { status: 'executed', executedAt: now(), svcUid: payment.svcUid });
    await notifier.announce(payment.status === 'paid' ? 'paid' : 'schedule_failed', payment);
  }

  return { plan: (schedule) => timeline.at(schedule.scheduleAt * 1000, () => execute(schedule)) };
}

function orderOf({ merchantUid, amount, currency, name, buyer, customData, noticeUrls }: Schedule) {
  return { merchantUid, amount, currency, name, buyer, customData, noticeUrls };
}
