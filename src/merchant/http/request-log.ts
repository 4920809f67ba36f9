// One log line per request: method, path without query, status, duration, and the fields that the route added. It never
// holds a body, a header, a cookie or a query string. Its request id is in the header of the answer as well. It is made
// when the answer has gone out.

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context';
import { maskCardNumbers } from './mask-card-numbers';

declare module 'http' {
  interface IncomingMessage {
    /** Of the request; a UUID. */
    id: string;
  }
}

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** By which an answer leads to its log line. Whoever reports a problem names it. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

export function requestLog({ logger, clock }: Pick<Context, 'logger' | 'clock'>): RequestHandler {
  return (request, response, next) => {
    // Always one of our own, also where a trusted proxy sends one: its X-Request-Id may be the client's, who could then give
    // two requests one id or write into our log. A proxy that wants to know the id reads it from our answer.
    request.id = randomUUID();
    response.setHeader(REQUEST_ID_HEADER, request.id);
    const startedMs = clock.monotonicMs();
    if (!QUIET_PATHS.has(request.path))
      response.once('close', () => {
        const message = response.writableFinished ? 'request completed' : 'request aborted';
        // The error handler logs the error of a 5xx.
        const level = response.statusCode >= 500 ? 'error' : 'info';
        logger[level](toLine(request, response, clock.monotonicMs() - startedMs), message);
      });
    next();
  };
}

function toLine(request: Request, response: Response, responseTime: number): object {
  return {
    req: { id: request.id, method: request.method, path: pathOf(request) },
    ...(response.locals['log'] as LogFields | undefined),
    res: { status: response.statusCode },
    responseTime: Math.round(responseTime),
  };
}

/** Identifiers and outcomes, under snake_case names. */
export type LogFields = Record<string, string | number | null>;

/** Adds fields to the request's log line. An id that looks like a card number is masked: the caller chose it. */
export function addLogFields(response: Response, fields: LogFields): void {
  const known = (response.locals['log'] ??= {}) as LogFields;
  for (const [name, value] of Object.entries(fields))
    known[name] = typeof value === 'string' ? maskCardNumbers(value) : value;
}

function pathOf({ originalUrl }: Request): string {
  const path = originalUrl.split('?', 1)[0] ?? '';
  // The log outlives a member who is erased.
  return maskCardNumbers(path.replace(MEMBER_IN_PATH, '$1{member_id}')).slice(0, 200);
}

const MEMBER_IN_PATH = /^(\/api\/members\/)[^/]+/i;
