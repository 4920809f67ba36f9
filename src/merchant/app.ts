// The whole merchant, put together with plain calls: use cases first, then the routes in the order a request meets
// them, then the jobs. What it needs from outside comes in as arguments.

import express, { type Express } from 'express';
import { createBillingKeyStore } from './cards/billing-key-store';
import { createCardRoutes } from './cards/card-routes';
import { createIssuanceJobs } from './cards/issuance-jobs';
import { createLegalRoutes } from './cards/legal-routes';
import { createRegisterCard } from './cards/register-card';
import { createRemoveCard } from './cards/remove-card';
import { createResolveIssuance } from './cards/resolve-issuance';
import type { Clock } from './clock';
import type { Config } from './config';
import { createMembers } from './current-member';
import type { Database } from './database';
import { RequestFault } from './errors';
import { parseAddressList } from './http/address-list';
import { requireApiKey } from './http/api-key';
import { jsonErrors } from './http/error-answer';
import { createHealthRoutes } from './http/health-routes';
import { pageErrors } from './http/page-errors';
import { createPageGuard } from './http/page-guard';
import { requestLog } from './http/request-log';
import { securityHeaders } from './http/security-headers';
import { createViews, STATIC_FOLDER } from './http/views';
import type { Jobs, Tasks } from './jobs';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { createOrderRoutes } from './orders/order-routes';
import { createOrderStore } from './orders/order-store';
import { createRegisterOrder } from './orders/register-order';
import type { PaymentService } from './payment-service/payment-service';
import { createCheckAgain, createScheduleCheck } from './payments/check-again';
import { coalesceSyncs } from './payments/coalesce-syncs';
import { createNotificationStore } from './payments/notification-store';
import { createPaymentRoutes } from './payments/payment-routes';
import { createPaymentStore } from './payments/payment-store';
import { createReceiveNotification } from './payments/receive-notification';
import { createSyncPayment } from './payments/sync-payment';
import { createWebhookRoutes } from './payments/webhook-routes';
import type { Readiness } from './readiness';

export type Dependencies = {
  config: Config;
  database: Database;
  service: PaymentService;
  /** Names of the wire to those of the document, for bodies that the service sends us. */
  fromWire: (body: unknown) => unknown;
  jobs: Pick<Jobs, 'schedule'>;
  readiness: Readiness;
  metrics: Metrics;
  clock: Clock;
  logger: Logger;
};

export type Merchant = {
  app: Express;
  tasks: Tasks;
};

export function createApp(dependencies: Dependencies): Merchant {
  const { config, database, service, fromWire, jobs, readiness, metrics, clock, logger } = dependencies;
  const trustedProxies = parseAddressList(config.trustedProxies).list;

  const notificationStore = createNotificationStore(database);
  const paymentStore = createPaymentStore(database);
  const orderStore = createOrderStore(database);

  const syncPayment = coalesceSyncs(createSyncPayment({ service, store: paymentStore, clock }));
  const scheduleCheck = createScheduleCheck(jobs.schedule);
  const receiveNotification = createReceiveNotification({
    store: notificationStore,
    syncPayment,
    scheduleCheck,
    onLateFault: (error) => logger.error({ event: 'late_look_failed', err: error }),
  });
  const checkAgain = createCheckAgain({
    notifications: notificationStore,
    payments: paymentStore,
    syncPayment,
    scheduleCheck,
    clock,
    logger,
  });

  const keyStore = createBillingKeyStore(database);
  const issuance = { store: keyStore, service, schedule: jobs.schedule, clock, logger };
  const issuanceJobs = createIssuanceJobs({ ...issuance, resolveIssuance: createResolveIssuance(issuance) });

  const views = createViews(config);
  const pageGuard = createPageGuard(config);
  const nothingHere = () => {
    throw new RequestFault(404, 'not_found', 'There is nothing here.');
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('etag', false);

  app.use(requestLog(logger));
  app.use(securityHeaders(config.production));
  app.use(
    createHealthRoutes({
      reasonsNotReady: () => readiness.reasonsNotReady(),
      metrics,
      apiKey: config.apiKey,
      trustedProxies,
    }),
  );
  app.use(
    createWebhookRoutes({
      receiveNotification,
      fromWire,
      allowedSources: parseAddressList(config.webhook.sourceAddresses).list,
      trustedProxies,
      sourceCheck: config.webhook.sourceCheck,
      onUnlistedSource: () => metrics.unlistedSources.inc(),
      onOutcome: (outcome) => metrics.notifications.inc({ outcome }),
      clock,
      logger,
    }),
  );
  app.use(
    '/api',
    requireApiKey(config.apiKey),
    express.json({ limit: '64kb', inflate: false }),
    createOrderRoutes({
      registerOrder: createRegisterOrder({ store: orderStore, clock }),
      store: orderStore,
    }),
    createPaymentRoutes(paymentStore),
    nothingHere,
  );
  app.use(['/api', '/metrics'], jsonErrors(logger));

  app.use('/static', express.static(STATIC_FOLDER, { index: false, redirect: false }));
  app.use(
    createCardRoutes({
      config,
      clock,
      members: createMembers(config),
      views,
      store: keyStore,
      registerCard: createRegisterCard(issuance),
      removeCard: createRemoveCard(issuance),
      pageGuard,
    }),
  );
  app.use(createLegalRoutes({ views, pageGuard }));
  app.use(nothingHere);
  app.use(pageErrors(views, logger));

  return {
    app,
    tasks: {
      'check-payment': (payload) => checkAgain.checkPayment(payload),
      'check-open-notifications': () => checkAgain.checkOpenNotifications(),
      'resolve-issuance': (payload) => issuanceJobs.resolve(payload),
      'resolve-open-issuances': () => issuanceJobs.resolveOpen(),
    },
  };
}
