// One line per request: method, path without query, status, duration, and what the route added to
// `response.locals.log` (svc_uid, merchant_uid, outcome). Never a body, a header, a cookie or a query string.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import pinoHttp from 'pino-http';
import type { Logger } from '../logger';

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp<IncomingMessage, ServerResponse>({
    logger,
    genReqId: () => randomUUID(),
    autoLogging: { ignore: (request) => QUIET_PATHS.has(pathOf(request)) },
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({ id: request.id, method: request.method, path: pathOf(request) }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
    customProps: (_request, response) => (response as Response).locals?.['log'] as object,
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    // 5xx carry their error in a line of the error handler; a second copy here would repeat it.
    customErrorObject: () => ({}),
  });
}

/** Adds facts to the request's log line. */
export function noteForLog(response: Response, facts: Record<string, string | number | null>): void {
  response.locals['log'] = { ...(response.locals['log'] as object | undefined), ...facts };
}

function pathOf(request: IncomingMessage): string {
  const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '';
  return url.split('?', 1)[0]?.slice(0, 200) ?? '';
}
