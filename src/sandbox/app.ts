// The sandbox as an Express app: the service's endpoints, the controls, and an envelope for everything else.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import pino, { type Logger } from 'pino';
import { authorizeBy, tokenEndpoints } from './access/token-endpoints';
import { billingKeyEndpoints } from './billing-keys/billing-key-endpoints';
import { defaultConfig, type SandboxConfig } from './config';
import { consoleRoutes } from './console/console-routes';
import { controlRoutes } from './controls/control-routes';
import { createPaymentActions } from './controls/payment-actions';
import { Refusal } from './http/answer';
import { endpointName, type Endpoint } from './http/endpoint';
import { createFaults } from './http/faults';
import { createRequestLog } from './http/request-log';
import { serveEndpoints, serveUnknown } from './http/serve-endpoints';
import { billingKeyPaymentsEndpoint } from './payments/billing-key-payments';
import { cancelEndpoint } from './payments/cancel-payment';
import { keyPaymentEndpoints } from './payments/key-payment-endpoints';
import { newerPaymentEndpoint } from './payments/newer-payment';
import { paymentEndpoints } from './payments/payment-endpoints';
import { paymentsByStatusEndpoint } from './payments/payments-by-status';
import { scheduleEndpoints } from './schedules/schedule-endpoints';
import { scheduleQueries } from './schedules/schedule-queries';
import { createService, type Service } from './service';

export type SandboxOptions = {
  config?: Partial<SandboxConfig>;
  /** The base clock in milliseconds. */
  clock?: () => number;
  random?: () => number;
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
    logger,
  });
  const endpoints = endpointsOf(service);
  const faults = createFaults(endpoints.map(endpointName));
  const requestLog = createRequestLog();
  const border = {
    endpoints,
    faults,
    requestLog,
    wireNames: service.wireNames,
    logger,
    now: service.clock.now,
    authorize: authorizeBy(service.tokens),
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const parts = { service, faults, requestLog, actions: createPaymentActions(service) };
  app.use('/_sandbox', controlRoutes(parts));
  app.use('/console', consoleRoutes(parts));
  app.use(serveEndpoints(border));
  app.use(serveUnknown(border));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) return void response.destroy();
    // What Express itself refuses is a path that cannot be decoded.
    const isPath = error instanceof URIError;
    if (!isPath)
      logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'a page failed');
    const refusal = isPath
      ? new Refusal(400, 'path: cannot be decoded')
      : new Refusal(500, 'the sandbox itself failed');
    response.status(refusal.answer.status).json(refusal.answer.body);
  });
  return { app, service, close: () => service.close() };
}

/** Every endpoint of the service, by section of the document. */
function endpointsOf(service: Service): Endpoint[] {
  const { config, tokens, billingKeys, payments, schedules, notifier, runner, settings } = service;
  const { now } = service.clock;
  const { slowCardMs } = config;
  return [
    ...tokenEndpoints(config, tokens),
    ...billingKeyEndpoints({ store: billingKeys, now, slowCardMs }),
    ...keyPaymentEndpoints({ payments, billingKeys, notifier, now, slowCardMs }),
    ...paymentEndpoints(payments),
    cancelEndpoint(payments, now),
    paymentsByStatusEndpoint(payments, now),
    billingKeyPaymentsEndpoint(payments, billingKeys, settings),
    ...scheduleQueries(schedules, payments),
    ...scheduleEndpoints({ schedules, billingKeys, runner, now }),
    newerPaymentEndpoint(payments),
  ];
}
