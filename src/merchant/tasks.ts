// What each job does. The names and times are those of `JOBS` (jobs.ts).

import {
  enqueueUnresolvedAttempts,
  parseRecoverAttempt,
  recoverAttempt,
} from './core/attempts/recover-attempt';
import { issuanceRecovery } from './core/billing-keys/recover-issuance';
import { forgetCardAttempts } from './core/cards/card-limit-store';
import { recoverRemovals } from './core/cards/recover-removals';
import { chargeRecovery } from './core/charges/recover-charge';
import { deliverEvents, type Handler } from './core/events/deliver-events';
import { reconcileAsJob } from './core/reconciliation/reconcile-job';
import { refundRecovery } from './core/refunds/recover-refund';
import { probeService, resumeNotifications } from './core/webhooks/resume-notifications';
import { retryNotifications } from './core/webhooks/retry-notifications';
import { deleteOldRows } from './options/erasure/delete-old-rows';
import { finishErasures } from './options/erasure/finish-erasures';
import { advanceSubscriptions, wakeByEvent } from './options/subscriptions/advance-subscriptions';
import type { Context } from './platform/context';
import type { Tasks } from './platform/jobs';
import { onOrderEvent } from './shop/on-order-event';

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
