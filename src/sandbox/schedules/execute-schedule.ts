// Executes schedules at their time (§3, §6.1): makes the payment with the billing key that is stored at that time, and sends
// a notification for success and failure.

import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import type { Notifier } from '../notifications/notifier';
import { chargeKey } from '../payments/charge-key';
import type { Payment } from '../payments/payment';
import type { PaymentStore } from '../payments/payment-store';
import type { PreparedAmounts } from '../payments/prepared-amounts';
import type { SandboxClock } from '../state/clock';
import { DiskError } from '../state/data-folder';
import type { Timeline } from '../state/timeline';
import type { Schedule } from './schedule';
import type { ScheduleStore } from './schedule-store';

export type ScheduleStores = {
  schedules: ScheduleStore;
  payments: PaymentStore;
  preparedAmounts: PreparedAmounts;
  billingKeys: BillingKeyStore;
  notifier: Notifier;
  timeline: Timeline;
  clock: SandboxClock;
};

/** The delay before a retry, if the payment could not be written. */
const TRY_AGAIN_MS = 60_000;

/** An overdue schedule is executed as soon as possible. While the disk is full, the execution is retried every minute. */
export function executeWhenDue(stores: ScheduleStores, schedule: Schedule): void {
  const { timeline } = stores;
  const tryToExecute = (): Promise<void> =>
    execute(stores, schedule).catch((error: unknown) => {
      if (!(error instanceof DiskError)) throw error;
      timeline.after(TRY_AGAIN_MS, tryToExecute);
    });
  timeline.at(schedule.scheduleAt * 1000, tryToExecute);
}

async function execute(stores: ScheduleStores, schedule: Schedule) {
  if (schedule.status !== 'scheduled') return;
  const { schedules, payments, preparedAmounts, billingKeys, notifier, clock } = stores;
  const { customerUid } = schedule;
  const now = clock.now();
  const customer = { customerUid, customerUidUsage: 'payment.scheduled' as const };
  const order = orderOf(schedule);
  const refusal = preparedAmounts.findRefusal(order);
  // A retry uses the payment of an earlier try, so nothing is paid twice.
  const payment =
    payments.ofOrder(order.merchantUid).find((each) => isOf(schedule, each)) ??
    chargeKey(payments, order, billingKeys.find(customerUid), customer, now, refusal);
  schedules.change(schedule, { status: 'executed', executedAt: now, svcUid: payment.svcUid });
  await notifier.notify(payment.status === 'paid' ? 'paid' : 'schedule_failed', payment);
}

function isOf({ scheduleAt }: Schedule, { customerUidUsage, startedAt }: Payment): boolean {
  return customerUidUsage === 'payment.scheduled' && startedAt >= scheduleAt;
}

function orderOf({ merchantUid, amount, currency, name, buyer, customData, noticeUrls }: Schedule) {
  return { merchantUid, amount, currency, name, buyer, customData, noticeUrls };
}
