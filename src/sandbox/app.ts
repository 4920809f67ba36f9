// The sandbox as an Express app: the service's endpoints, the controls, and an envelope for everything else.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import pino, { type Logger } from 'pino';
import { authorizeBy, tokenEndpoints } from './access/token-endpoints';
import { billingKeyEndpoints } from './billing-keys/billing-key-endpoints';
import { defaultConfig, type SandboxConfig } from './config';
import { controlRoutes } from './controls/control-routes';
import { Refusal } from './http/answer';
import { endpointName, type Endpoint } from './http/endpoint';
import { createFaults } from './http/faults';
import { createRequestLog } from './http/request-log';
import { serveEndpoints, serveUnknown } from './http/serve-endpoints';
import { paymentEndpoints } from './payments/payment-endpoints';
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
  app.use('/_sandbox', controlRoutes(service, faults, requestLog));
  app.use(serveEndpoints(border));
  app.use(serveUnknown(border));
  // What Express itself refuses: a path that cannot be decoded.
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    response.status(400).json(new Refusal(400, 'path: cannot be decoded').answer.body);
  });
  return { app, service, close: () => service.close() };
}

/** Every endpoint of the service, by section of the document. A path with a fixed end comes before one with a parameter. */
function endpointsOf(service: Service): Endpoint[] {
  const { config, tokens, billingKeys, payments, clock } = service;
  return [
    ...tokenEndpoints(config, tokens),
    ...billingKeyEndpoints({ store: billingKeys, now: clock.now, slowCardMs: config.slowCardMs }),
    ...paymentEndpoints(payments),
  ];
}
