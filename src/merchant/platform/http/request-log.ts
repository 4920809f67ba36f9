// One log line per request: method, path without query, status, duration, the address of the sender, and the fields that
// the route added. It never holds a body, a header, a cookie or a query string. Its request id is in the header of the
// answer as well. It is made when the answer has gone out.

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { parseAddressList } from '../address-list';
import type { Context } from '../context';
import { maskCardNumbers } from './mask-card-numbers';
import { readSource, type SeenSource } from './source-address';

declare module 'http' {
  interface IncomingMessage {
    /** Of the request; a UUID. */
    id: string;
    /** Who sent it. */
    source: SeenSource;
  }
}

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** By which an answer leads to its log line. Whoever reports a problem names it. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

export function requestLog({
  config,
  logger,
  clock,
}: Pick<Context, 'config' | 'logger' | 'clock'>): RequestHandler {
  const trustedProxies = parseAddressList(config.trustedProxies).list;
  return (request, response, next) => {
    // Always one of our own, also where a trusted proxy sends one: its X-Request-Id may be the client's, who could then give
    // two requests one id or write into our log. A proxy that wants to know the id reads it from our answer.
    request.id = randomUUID();
    // Now: when the answer has gone out, the socket may be gone and has no address. Who needs it later takes it from here.
    request.source = readSource(request, trustedProxies);
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
    source: request.source.client,
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
  // A target in absolute form is served as well (RFC 9112, section 3.2.2).
  const path = (originalUrl.split('?', 1)[0] ?? '').replace(SCHEME_AND_HOST, '') || '/';
  // The log outlives a member who is erased.
  const withoutMember = path.slice(0, MOST_READ).replace(MEMBER_IN_PATH, '$1{member_id}');
  return maskCardNumbers(withoutMember).slice(0, MOST_LOGGED);
}

const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i;
const MEMBER_IN_PATH = /(\/api\/members\/)[^/]+/i;
const MOST_LOGGED = 200;
/** What is masked becomes shorter: a number must not be cut in two before. */
const MOST_READ = 10 * MOST_LOGGED;
