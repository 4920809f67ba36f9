// What could not be checked, or not be found, is looked at again by us: the legacy service sends once and never after
// a 4xx (§6.5). The rows say what is open; a job only says when to look at which payment.

import { z } from 'zod';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import type { Logger } from '../logger';
import type { Claim } from './judge-payment';
import type { NotificationStore } from './notification-store';
import type { PaymentStore } from './payment-store';
import type { SyncPayment } from './sync-payment';

export type ScheduleCheck = (claim: Claim, at: Date) => Promise<void>;

export function createScheduleCheck(schedule: ScheduleJob): ScheduleCheck {
  return ({ svcUid, merchantUid }, runAt) =>
    schedule('check-payment', { svcUid, merchantUid }, { key: `check:${svcUid}:${merchantUid}`, runAt });
}

type Dependencies = {
  notifications: NotificationStore;
  payments: Pick<PaymentStore, 'settleUnknown'>;
  syncPayment: SyncPayment;
  scheduleCheck: ScheduleCheck;
  clock: Clock;
  logger: Logger;
};

const claimSchema = z.object({ svcUid: z.string(), merchantUid: z.string() });

/** How many overdue payments are put up for checking at a time. */
const OVERDUE_BATCH = 1000;

export function createCheckAgain(dependencies: Dependencies) {
  const { notifications, payments, syncPayment, scheduleCheck, clock, logger } = dependencies;
  return {
    /** Job `check-payment`: one more look at a payment whose notifications are open. */
    async checkPayment(payload: unknown): Promise<void> {
      const claim = claimSchema.parse(payload);
      const open = await notifications.findOpen(claim);
      if (!open) return;
      const { outcome, reason, nextCheckAt } = await syncPayment({
        ...claim,
        generation: open.generation,
        notifications: open,
      });
      if (outcome === 'recorded' || outcome === 'unchanged') await payments.settleUnknown(claim, clock.now());
      if (nextCheckAt) await scheduleCheck(claim, nextCheckAt);
      logger.info({ event: 'payment_checked_again', ...claim, outcome, reason, checks: open.checks + 1 });
    },

    /** Job `check-open-notifications`: puts up what is overdue and has no job, such as after a crash. */
    async checkOpenNotifications(): Promise<void> {
      const now = clock.now();
      for (const claim of await notifications.findOverdue(now, OVERDUE_BATCH))
        await scheduleCheck(claim, now);
    },
  };
}
