// The sandbox as an Express app: controls, console, the endpoints of the service, and an envelope for everything
// else.

import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import pino, { type Logger } from 'pino';
import { authorize, tokenEndpoints } from './access/token-endpoints';
import { billingKeyEndpoints } from './billing-keys/billing-key-endpoints';
import { defaultConfig, type SandboxConfig } from './config';
import { consoleRoutes } from './console/console-routes';
import { controlRoutes } from './controls/control-routes';
import { HttpError } from './http/answer';
import { endpointName, type Endpoint } from './http/endpoint';
import { createFaults } from './http/faults';
import { createRequestLog } from './http/request-log';
import { serveEndpoints, serveUnknown, type ServeOptions } from './http/serve-endpoints';
import { landingRoutes, unknownPage } from './landing/landing-routes';
import { receiptRoutes } from './landing/receipt-routes';
import { movedAddress } from './pages/moved-address';
import { movedClock } from './pages/moved-clock';
import { STATIC_FOLDERS, type PageLocals } from './pages/send-page';
import { balanceEndpoint } from './payments/balance-endpoint';
import { billingKeyPaymentsEndpoint } from './payments/billing-key-payments-endpoint';
import { cancelEndpoint } from './payments/cancel-payment';
import { keyPaymentEndpoints } from './payments/key-payment-endpoints';
import { newerPaymentEndpoint } from './payments/newer-payment-endpoint';
import { paymentEndpoints } from './payments/payment-endpoints';
import { paymentsByStatusEndpoint } from './payments/payments-by-status-endpoint';
import { prepareEndpoints } from './payments/prepare-endpoints';
import { scheduleEndpoints } from './schedules/schedule-endpoints';
import { scheduleQueryEndpoints } from './schedules/schedule-query-endpoints';
import { createService, type Service } from './service';
import { browserScriptRoute } from './window/browser-script';
import { windowRoutes } from './window/window-routes';

export type SandboxOptions = {
  config?: Partial<SandboxConfig>;
  /** The base clock in milliseconds. */
  clock?: () => number;
  random?: () => number;
  /** The digits of the next svc_uid. By default they cannot be guessed. */
  newDigits?: () => number;
  logger?: Logger;
};

export type Sandbox = { app: Express; service: Service; close(): Promise<void> };

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const config = { ...defaultConfig, ...options.config };
  const logger = options.logger ?? pino({ level: 'silent' });
  const service = createService({
    config,
    baseMs: options.clock ?? Date.now,
    random: options.random ?? Math.random,
    newDigits: options.newDigits,
    logger,
  });
  const endpoints = endpointsOf(service);
  const faults = createFaults(endpoints.map(endpointName));
  const requestLog = createRequestLog();
  const serveOptions: ServeOptions = {
    endpoints,
    faults,
    requestLog,
    namePrefix: config.namePrefix,
    logger,
    now: service.clock.now,
    lastNotification: () => service.notifier.list().at(-1)?.id ?? 0,
    paymentOf: ({ svc_uid: svcUid, payment_id: paymentId }) => findPaymentOf(service, svcUid ?? paymentId),
    operationErrors: () => service.settings.get().operation_errors,
    authorize: (generation, authorization) => authorize(service.tokens, generation, authorization),
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const pageLocals: PageLocals = {
    movedClockIn: (t) => movedClock(service, t),
    movedAddressIn: (t) => movedAddress(service, t),
  };
  Object.assign(app.locals, pageLocals);
  app.use('/_sandbox', controlRoutes({ service, faults, requestLog }));
  for (const folder of STATIC_FOLDERS)
    app.use('/static', express.static(folder, { index: false, redirect: false }));
  // Browsers ask for it by themselves, and it is no call of the merchant.
  app.use('/favicon.ico', (_request, response) => response.redirect(301, '/static/icon.svg'));
  app.use(browserScriptRoute(config.namePrefix));
  app.use('/window', windowRoutes(service));
  app.use('/console', consoleRoutes({ service, faults, requestLog }));
  app.use(receiptRoutes(service));
  app.use(landingRoutes(service));
  app.use(serveEndpoints(serveOptions));
  app.use(unknownPage);
  app.use(serveUnknown(serveOptions));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) return void response.destroy();
    const { answer } = refusalOf(error) ?? new HttpError(500, 'the sandbox itself failed');
    if (answer.status === 500)
      logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'a page failed');
    response.status(answer.status).json(answer.body);
  });
  return { app, service, close: () => service.close() };
}

/** Requests that Express itself refuses: a path that cannot be decoded, or a static file whose precondition fails. */
function refusalOf(error: unknown): HttpError | null {
  if (error instanceof URIError) return new HttpError(400, 'path: cannot be decoded');
  const { status } = error as { status?: unknown };
  return status === 412 || status === 416
    ? new HttpError(status, 'the file is not the one that was asked for')
    : null;
}

/** The newer generation names a payment by its order id or by its svc_uid. */
function findPaymentOf({ payments }: Service, id: unknown): string | null {
  if (typeof id !== 'string') return null;
  return (payments.find(id) ?? payments.ofOrder(id)[0])?.svcUid ?? null;
}

function endpointsOf(service: Service): Endpoint[] {
  const { config, clock, tokens, billingKeys, payments, preparedAmounts, settings } = service;
  return [
    ...tokenEndpoints(tokens, config),
    ...billingKeyEndpoints(billingKeys, clock, config.slowCardMs),
    ...keyPaymentEndpoints(service, config.slowCardMs),
    ...paymentEndpoints(payments),
    cancelEndpoint(payments, clock),
    paymentsByStatusEndpoint(payments, clock),
    ...prepareEndpoints(preparedAmounts),
    balanceEndpoint(payments),
    billingKeyPaymentsEndpoint(payments, billingKeys, settings),
    ...scheduleQueryEndpoints(service),
    ...scheduleEndpoints(service),
    newerPaymentEndpoint(payments, () => settings.get().newer_shows_channel),
  ];
}
