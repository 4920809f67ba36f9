// The routes in the order in which a request meets them.

import express, { type ErrorRequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { cardRoutes } from './cards';
import type { PrismaClient } from './generated/prisma/client';
import { orderRoutes } from './orders';
import type { PaymentService } from './payment-service';
import type { Settings } from './settings';
import { webhookRoutes } from './webhooks';

export type App = { settings: Settings; database: PrismaClient; service: PaymentService; logger: Logger };

export function createApp(app: App) {
  const { settings, logger } = app;
  const server = express();
  // Only these may say in X-Forwarded-For who the client is.
  server.set('trust proxy', settings.TRUSTED_PROXIES);
  server.use(helmet());
  server.use((request, response, next) => {
    const { method, path } = request;
    response.on('finish', () => logger.info({ method, path, status: response.statusCode }, 'request'));
    next();
  });
  server.use('/cards', cardRoutes(app));
  server.use('/api/orders', orderRoutes(app));
  server.use('/webhooks', webhookRoutes(app));
  server.use(answerError(logger));
  return server;
}

/** Logs the kind of an error, never the error: axios keeps the request in it, with the card or the token. */
function answerError(logger: Logger): ErrorRequestHandler {
  return (error: Error & { status?: number; code?: string }, _request, response, _next) => {
    const isOurs = error.status === undefined || error.status >= 500;
    // The service or the database did not answer, or its answer was not understood. The caller may try again.
    const status = isOurs ? 503 : (error.status ?? 400);
    if (isOurs) logger.error({ error: error.name, code: error.code }, 'request failed');
    response.status(status).json({ error: { code: isOurs ? 'unavailable' : 'invalid_request' } });
  };
}
