// One log line per request: method, path without query, status, duration, and the fields that the route added. It never
// holds a body, a header, a cookie or a query string. Its request id is in the header of the answer as well.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import pinoHttp from 'pino-http';
import type { Logger } from '../logger';

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** By which an answer leads to its log line. Whoever reports a problem names it. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp<IncomingMessage, ServerResponse>({
    logger,
    genReqId,
    autoLogging: { ignore: (request) => QUIET_PATHS.has(pathOf(request)) },
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({ id: request.id, method: request.method, path: pathOf(request) }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
    customProps: (_request, response) => (response as Response).locals?.['log'] as object,
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    // The error handler logs the error of a 5xx; a second copy here would repeat it.
    customErrorObject: () => ({}),
  });
}

/**
 * Always one of our own, also where a trusted proxy sends one: its X-Request-Id may be the client's, who could then give
 * two requests one id or write into our log. A proxy that wants to know the id reads it from our answer.
 */
function genReqId(_request: IncomingMessage, response: ServerResponse): string {
  const id = randomUUID();
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}

/** Identifiers and outcomes, under snake_case names. */
export type LogFields = Record<string, string | number | null>;

/** Adds fields to the request's log line. */
export function addLogFields(response: Response, fields: LogFields): void {
  response.locals['log'] = { ...(response.locals['log'] as object | undefined), ...fields };
}

function pathOf(request: IncomingMessage): string {
  const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '';
  const path = url.split('?', 1)[0]?.slice(0, 200) ?? '';
  // The log outlives a member who is erased.
  return path.replace(MEMBER_IN_PATH, '$1{member_id}');
}

const MEMBER_IN_PATH = /^(\/api\/members\/)[^/]+/i;
