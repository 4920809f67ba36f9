// Executes schedules at their time (§3, §6.1): the payment is made with the billing key that is stored then, and a
// notification is sent whether it was paid or failed.

import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import type { Notifier } from '../notifications/notifier';
import { chargeKey } from '../payments/charge-key';
import type { PaymentStore } from '../payments/payment-store';
import type { PreparedAmounts } from '../payments/prepared-amounts';
import type { SandboxClock } from '../state/clock';
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

/** A schedule whose time is past is executed as soon as possible. */
export function executeWhenDue(stores: ScheduleStores, schedule: Schedule): void {
  stores.timeline.at(schedule.scheduleAt * 1000, () => execute(stores, schedule));
}

async function execute(stores: ScheduleStores, schedule: Schedule) {
  if (schedule.status !== 'scheduled') return;
  const { schedules, payments, preparedAmounts, billingKeys, notifier, clock } = stores;
  const { customerUid } = schedule;
  const now = clock.now();
  const customer = { customerUid, customerUidUsage: 'payment.scheduled' as const };
  const order = orderOf(schedule);
  const refusal = preparedAmounts.findRefusal(order);
  const payment = chargeKey(payments, order, billingKeys.find(customerUid), customer, now, refusal);
  schedules.change(schedule, { status: 'executed', executedAt: now, svcUid: payment.svcUid });
  await notifier.notify(payment.status === 'paid' ? 'paid' : 'schedule_failed', payment);
}

function orderOf({ merchantUid, amount, currency, name, buyer, customData, noticeUrls }: Schedule) {
  return { merchantUid, amount, currency, name, buyer, customData, noticeUrls };
}
