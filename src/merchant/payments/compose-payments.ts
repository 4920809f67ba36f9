// The parts of this folder, put together.

import { parseAddressList } from '../http/address-list';
import type { Dependencies } from '../dependencies';
import { batchCalls } from './batch-calls';
import { createCheckAgain, createScheduleCheck } from './check-again';
import { coalesceSyncs } from './coalesce-syncs';
import { createDiscrepancyListRoutes } from './discrepancy-list-routes';
import { createDiscrepancyListStore } from './discrepancy-list-store';
import { createNotificationListRoutes } from './notification-list-routes';
import { createNotificationListStore } from './notification-list-store';
import { createNotificationStore } from './notification-store';
import { createPaymentRoutes } from './payment-routes';
import { createPaymentStore } from './payment-store';
import { createReceiveNotification } from './receive-notification';
import { createServicePaymentRoutes } from './service-payment-routes';
import { createSyncPayment } from './sync-payment';
import { createWebhookRoutes } from './webhook-routes';

export function composePayments({
  config,
  database,
  service,
  fromWire,
  schedule,
  metrics,
  clock,
  logger,
}: Dependencies) {
  const notifications = createNotificationStore(database);
  const payments = createPaymentStore(database);
  const syncPayment = coalesceSyncs(
    createSyncPayment({
      service,
      readSnapshot: batchCalls(payments.readSnapshots),
      writeVerdict: batchCalls(payments.writeVerdicts),
      findKeyOwner: payments.findKeyOwner,
      clock,
    }),
  );
  const scheduleCheck = createScheduleCheck(schedule);
  const checkAgain = createCheckAgain({ notifications, payments, syncPayment, scheduleCheck, clock, logger });

  return {
    syncPayment,
    webhookRoutes: createWebhookRoutes({
      receiveNotification: createReceiveNotification({
        recordNotification: batchCalls(notifications.recordNotifications),
        syncPayment,
        scheduleCheck,
        onLateFault: (error) => logger.error({ event: 'late_look_failed', err: error }),
      }),
      fromWire,
      allowedSources: parseAddressList(config.webhook.sourceAddresses).list,
      trustedProxies: parseAddressList(config.trustedProxies).list,
      sourceCheck: config.webhook.sourceCheck,
      onUnlistedSource: () => metrics.unlistedSources.inc(),
      onOutcome: (outcome) => metrics.notifications.inc({ outcome }),
      clock,
      logger,
    }),
    apiRoutes: [
      createPaymentRoutes(payments),
      createServicePaymentRoutes({ service, clock }),
      createNotificationListRoutes(createNotificationListStore(database)),
      createDiscrepancyListRoutes(createDiscrepancyListStore(database)),
    ],
    tasks: {
      'check-payment': (payload: unknown) => checkAgain.checkPayment(payload),
      'check-open-notifications': () => checkAgain.checkOpenNotifications(),
    },
  };
}
