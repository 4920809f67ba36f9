// The routes in the order in which a request meets them.

import { isAxiosError } from 'axios';
import express, { type ErrorRequestHandler } from 'express';
import helmet from 'helmet';
import { cardRoutes } from './cards';
import type { Context } from './context';
import { orderRoutes } from './orders';
import { kindOf } from './payment-service';
import { webhookRoutes } from './webhooks';

export function createApp(context: Context) {
  const { settings, logger } = context;
  const server = express();
  // Only these may say in X-Forwarded-For who the client is.
  server.set('trust proxy', settings.TRUSTED_PROXIES);
  server.use(helmet());
  server.use((request, response, next) => {
    const { method } = request;
    // A caller may have typed anything, also a card number.
    const path = request.path.replace(/[0-9]{4,}/g, '…');
    response.on('finish', () => logger.info({ method, path, status: response.statusCode }, 'request'));
    next();
  });
  server.use('/cards', cardRoutes(context));
  server.use('/api/orders', orderRoutes(context));
  server.use('/webhooks', webhookRoutes(context));
  server.use(answerError(context));
  return server;
}

function answerError({ logger }: Context): ErrorRequestHandler {
  return (error: Error & { status?: number; type?: string }, _request, response, _next) => {
    const { name, status = 500, type = 'cannot be read' } = error;
    // Express gives a status to what is wrong with a request; the status of an axios error was the service's.
    if (status < 500 && !isAxiosError(error)) {
      const message = `${name === 'URIError' ? 'path' : 'body'}: ${type}`;
      return response.status(status).json({ error: { code: 'invalid_request', message } });
    }
    // The service or the database did not answer, or its answer was not understood. The caller may try again.
    logger.error(kindOf(error), 'request failed');
    response.status(503).json({ error: { code: 'unavailable', message: 'Please try again later.' } });
  };
}
