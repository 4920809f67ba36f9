// What each job does. The names and times are those of `JOBS` (jobs.ts).

import { issuanceRecovery } from './billing-keys/recover-issuance';
import { forgetCardAttempts } from './cards/card-limit-store';
import { recoverRemovals } from './cards/recover-removals';
import { chargeRecovery } from './charges/recover-charge';
import type { Context } from './context';
import { deliverEvents, type Handler } from './events/deliver-events';
import type { Tasks } from './jobs';
import { deleteOldRows } from './members/delete-old-rows';
import { finishErasures } from './members/finish-erasures';
import { reconcileAsJob } from './reconciliation/reconcile-job';
import { enqueueUnresolvedAttempts, parseRecoverAttempt, recoverAttempt } from './recovery/recover-attempt';
import { refundRecovery } from './refunds/recover-refund';
import { onOrderEvent } from './shop/on-order-event';
import { advanceSubscriptions, wakeByEvent } from './subscriptions/advance-subscriptions';
import { probeService, resumeNotifications } from './webhooks/resume-notifications';
import { retryNotifications } from './webhooks/retry-notifications';

export function tasksOf(context: Context): Tasks {
  return {
    'retry-due-notifications': (_payload, stopping) => retryNotifications(context, stopping),
    'probe-service': () => probeService(context),
    'resume-notifications': (payload, stopping) => resumeNotifications(context, payload, stopping),
    'recover-attempt': (payload) => {
      const { kind, id } = parseRecoverAttempt(payload);
      switch (kind) {
        case 'issuance':
          return recoverAttempt(context, issuanceRecovery, id);
        case 'charge':
          return recoverAttempt(context, chargeRecovery, id);
        case 'refund':
          return recoverAttempt(context, refundRecovery, id);
      }
    },
    'recover-unresolved-attempts': () => enqueueUnresolvedAttempts(context),
    'recover-removals': (_payload, stopping) => recoverRemovals(context, stopping),
    'forget-card-attempts': () => forgetCardAttempts(context),
    'deliver-events': (_payload, stopping) => deliverEvents(context, handleEvent, { stopping }),
    'advance-subscriptions': (_payload, stopping) => advanceSubscriptions(context, stopping),
    'finish-erasures': (_payload, stopping) => finishErasures(context, stopping),
    'delete-old-rows': (_payload, stopping) => deleteOldRows(context, stopping),
    reconcile: (_payload, stopping) => reconcileAsJob(context, stopping),
  };
}

/** A subscription sees that its order has changed before the shop's own code does, which may fail. */
const handleEvent: Handler = async (event, context) => {
  await wakeByEvent(context, event);
  await onOrderEvent(event, context);
};
