// The whole merchant, put together with plain calls: the features, then the routes in the order a request meets them,
// then the jobs. What it needs from outside comes in as arguments.

import express, { type Express } from 'express';
import { composeCards } from './cards/compose-cards';
import { composeCharges } from './charges/compose-charges';
import type { Dependencies } from './dependencies';
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
import type { Tasks } from './jobs';
import { createOpenapiRoutes } from './openapi/openapi-routes';
import { composeOrders } from './orders/compose-orders';
import { composePayments } from './payments/compose-payments';
import { composeSchedules } from './schedules/compose-schedules';
import { composeSweep } from './sweep/compose-sweep';

export type Merchant = { app: Express; tasks: Tasks };

/** @param reasonsNotReady why no traffic should come, empty when it may */
export function createApp(dependencies: Dependencies, reasonsNotReady: () => Promise<string[]>): Merchant {
  const { config, metrics, logger } = dependencies;
  const views = createViews(config);
  const payments = composePayments(dependencies);
  const orders = composeOrders(dependencies);
  const charges = composeCharges(dependencies, payments.syncPayment);
  const schedules = composeSchedules(dependencies, charges.charging);
  const cards = composeCards(dependencies, {
    views,
    pageGuard: createPageGuard(config),
    revokeSchedules: schedules.revokeAll,
  });
  const sweep = composeSweep(dependencies, {
    syncPayment: payments.syncPayment,
    resolveOpenIssuances: cards.tasks['resolve-open-issuances'],
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(requestLog(logger));
  app.use(securityHeaders(config.production));
  app.use(
    createHealthRoutes({
      reasonsNotReady,
      metrics,
      apiKey: config.apiKey,
      trustedProxies: parseAddressList(config.trustedProxies).list,
    }),
  );
  app.use(createOpenapiRoutes(config));
  app.use(payments.webhookRoutes);
  app.use(
    '/api',
    requireApiKey(config.apiKey),
    express.json({ limit: '64kb', inflate: false }),
    ...orders.apiRoutes,
    ...payments.apiRoutes,
    ...charges.apiRoutes,
    ...schedules.apiRoutes,
    ...cards.apiRoutes,
    nothingHere,
  );
  app.use(['/api', '/metrics'], jsonErrors(logger));
  app.use('/static', express.static(STATIC_FOLDER, { index: false, redirect: false }));
  app.use(...cards.pageRoutes);
  app.use(nothingHere);
  app.use(pageErrors(views, logger));

  return { app, tasks: { ...payments.tasks, ...cards.tasks, ...charges.tasks, ...sweep.tasks } };
}

function nothingHere(): never {
  throw new RequestFault(404, 'not_found', 'There is nothing here.');
}
