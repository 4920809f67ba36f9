// The routes of the merchant in the order in which a request meets them.

import type { ServerResponse } from 'node:http';
import compression from 'compression';
import express, { type Express } from 'express';
import { billingKeyRoutes } from './core/billing-keys/billing-key-routes';
import { issuanceRoutes } from './core/billing-keys/issuance-routes';
import { cardRoutes } from './core/cards/card-routes';
import { legalRoutes } from './core/cards/legal-routes';
import { memberCardRoutes } from './core/cards/member-card-routes';
import { chargeListRoutes } from './core/charges/charge-list-routes';
import { chargeRoutes } from './core/charges/charge-routes';
import { eventRoutes } from './core/events/event-routes';
import { orderRoutes } from './core/orders/order-routes';
import { discrepancyRoutes } from './core/payments/discrepancy-routes';
import { paymentRoutes } from './core/payments/payment-routes';
import { resolveRoutes } from './core/payments/resolve-routes';
import { servicePaymentRoutes } from './core/payments/service-payment-routes';
import { discrepancyRefundRoutes } from './core/refunds/discrepancy-refund-routes';
import { refundListRoutes } from './core/refunds/refund-list-routes';
import { refundRoutes } from './core/refunds/refund-routes';
import { scheduleRoutes } from './core/schedules/schedule-routes';
import { notificationRoutes } from './core/webhooks/notification-routes';
import { sourceRoutes } from './core/webhooks/source-routes';
import { webhookDescription } from './core/webhooks/webhook-description';
import { webhookRoutes } from './core/webhooks/webhook-routes';
import { docsRoutes } from './options/api-docs/docs-routes';
import { openapiDescription, openapiRoutes } from './options/api-docs/openapi-routes';
import { returnRoutes } from './options/checkout/return-routes';
import { syncRoutes } from './options/checkout/sync-routes';
import { demoRoutes } from './options/demo/demo-routes';
import { landingRoutes } from './options/demo/landing-routes';
import type { TravellingClock } from './options/demo/travelling-clock';
import { erasureRoutes } from './options/erasure/erasure-routes';
import { metricsDescription, metricsRoutes } from './options/monitoring/metrics-routes';
import { operatorRoutes } from './options/operator/operator-routes';
import { subscriptionRoutes } from './options/subscriptions/subscription-routes';
import type { Context } from './platform/context';
import { HttpError } from './platform/errors';
import { requireApiKey } from './platform/http/api-key';
import { apiRouter, type ApiRoute } from './platform/http/api-route';
import { tagged, type TaggedRoute } from './platform/http/api-tags';
import { countResponses } from './platform/http/count-responses';
import { jsonErrors } from './platform/http/error-response';
import { healthDescriptions, healthRoutes } from './platform/http/health-routes';
import { pageErrors } from './platform/http/page-errors';
import { requestLog } from './platform/http/request-log';
import type { RouteDescription } from './platform/http/route-description';
import type { ShopFiles } from './platform/http/shop-files';
import { themeRoutes } from './platform/http/theme-routes';
import { createViews, STATIC_FOLDERS } from './platform/http/views';
import type { Readiness } from './platform/readiness';
import { passesChallenge, showChallenge } from './shop/challenge';
import { currentMember, requireMember } from './shop/current-member';

/** Everything under `/api`, each list under its tag of the API description. */
const API_ROUTES = tagged<ApiRoute>({
  orders: orderRoutes,
  payments: [...paymentRoutes, ...servicePaymentRoutes, ...syncRoutes],
  charges: [...chargeRoutes, ...chargeListRoutes],
  refunds: [...refundRoutes, ...refundListRoutes],
  schedules: scheduleRoutes,
  subscriptions: subscriptionRoutes,
  'billing keys': [...billingKeyRoutes, ...issuanceRoutes],
  members: [...memberCardRoutes, ...erasureRoutes],
  events: eventRoutes,
  notifications: [...notificationRoutes, ...sourceRoutes],
  discrepancies: [...discrepancyRoutes, ...resolveRoutes, ...discrepancyRefundRoutes],
});

/** Every route that programs call, for /openapi.json and /docs. */
export const DESCRIBED_ROUTES: readonly TaggedRoute[] = [
  ...API_ROUTES,
  ...tagged<RouteDescription>({
    notifications: [webhookDescription],
    health: [...healthDescriptions, metricsDescription, openapiDescription],
  }),
];

/**
 * The security headers are not its own: `createExpressServer` gives them to every answer.
 * @param demoClock that of the demo shop; null where there is none
 * @param shop in place of the shop's own files, where a test says so
 */
export function createApp(
  context: Context,
  readiness: Readiness,
  demoClock: TravellingClock | null = null,
  shop: Partial<ShopFiles> = {},
): Express {
  const { config } = context;
  const views = createViews(config);

  const app = express();
  app.locals['context'] = context;
  app.locals['shop'] = { currentMember, requireMember, showChallenge, passesChallenge, ...shop };
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(requestLog(context));
  app.use(countResponses(context));
  // What comes most often comes first.
  app.use(webhookRoutes(context));
  app.use(healthRoutes(readiness));
  app.use(metricsRoutes(context, readiness));
  app.use(SAME_FOR_EVERYBODY, compression());
  app.use(openapiRoutes(context, DESCRIBED_ROUTES));
  app.use(
    '/api',
    requireApiKey(context),
    express.json({ limit: '64kb', inflate: false }),
    apiRouter(context, '/api', API_ROUTES),
    notFound,
  );
  app.use(['/api', '/metrics'], jsonErrors(context));
  app.use(themeRoutes(context));
  for (const folder of STATIC_FOLDERS) app.use('/static', express.static(folder, FILES));
  app.use(landingRoutes(context, views));
  if (demoClock) app.use(demoRoutes(context, views, demoClock));
  app.use(docsRoutes(context, views, DESCRIBED_ROUTES));
  app.use(returnRoutes(context, views));
  app.use(operatorRoutes(context, views));
  app.use(cardRoutes(context, views));
  app.use(legalRoutes(context, views));
  app.use(notFound);
  app.use(pageErrors(context, views));
  return app;
}

/**
 * Only what has no secret in it is compressed: beside a secret, what a stranger puts into the page would make an answer
 * shorter where the two are alike (BREACH).
 */
const SAME_FOR_EVERYBODY = ['/openapi.json', '/docs', '/static'];

/** Whoever keeps one asks before each use whether it has changed. They are small: a range of one is the whole. */
const FILES = {
  index: false,
  redirect: false,
  acceptRanges: false,
  setHeaders: (response: ServerResponse) => response.setHeader('Cache-Control', 'public, max-age=0'),
};

function notFound(): never {
  throw new HttpError('not_found');
}
