// What is recorded of each request: a counter, and one log line after the answer was sent, with method, path without
// query, status, duration, sender's address, and fields that the route added. It never holds a body, header, cookie or
// query string. The answer carries the same request id.

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { parseAddressList } from '../address-list';
import type { Context } from '../context';
import { platformCounters, type Area } from '../metrics';
import type { LogFields } from './log-fields';
import { maskCardNumbers } from './mask-card-numbers';
import { readSource, type SeenSource } from './source-address';

declare module 'http' {
  interface IncomingMessage {
    /** A UUID. */
    id: string;
    /** The sender. */
    source: SeenSource;
  }
}

/**
 * Asked often, so they have no log line. A container or a load balancer asks the process itself, without the proxy whose
 * paths have the prefix.
 */
export const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** The header that links an answer to its log line. Users quote it when they report a problem. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

export function requestLog({ config, logger, clock, metrics }: Context): RequestHandler {
  const trustedProxies = parseAddressList(config.trustedProxies).list;
  return (request, response, next) => {
    // Always our own id, also if a trusted proxy sends one: its X-Request-Id may come from the client, who could then
    // give two requests one id or write into our log. A proxy can read our id from the answer.
    request.id = randomUUID();
    // Read now: after the answer was sent, the socket may be gone and have no address. Later code takes the source from
    // here.
    request.source = readSource(request, trustedProxies);
    response.setHeader(REQUEST_ID_HEADER, request.id);
    const startedMs = clock.monotonicMs();
    const area = areaOf(request.path);
    response.once('finish', () => {
      const status = `${Math.floor(response.statusCode / 100)}xx`;
      metrics.count(platformCounters.responses, { area, status });
    });
    if (area !== 'probes')
      response.once('close', () => {
        const message = response.writableFinished ? 'request completed' : 'request aborted';
        // The error handler logs the error of a 5xx.
        const level = response.statusCode >= 500 ? 'error' : 'info';
        logger[level](toLine(request, response, clock.monotonicMs() - startedMs), message);
      });
    next();
  };
}

function areaOf(path: string): Area {
  if (path.startsWith('/webhooks/')) return 'webhook';
  if (path.startsWith('/api/')) return 'api';
  return PROBES.has(path) ? 'probes' : 'pages';
}

function toLine(request: Request, response: Response, responseTime: number): object {
  return {
    req: { id: request.id, method: request.method, path: loggedPath(request) },
    source: request.source.client,
    ...(response.locals['log'] as LogFields | undefined),
    res: { status: response.statusCode },
    responseTime: Math.round(responseTime),
  };
}

/** A request target may begin with scheme and host (RFC 9112, section 3.2.2). */
export const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i;

/** The path without query, without what the log must not hold, and of limited length. */
export function loggedPath({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const path = (originalUrl.split('?', 1)[0] ?? '').replace(SCHEME_AND_HOST, '') || '/';
  // The log outlives an erased member, so it holds no member id.
  const withoutMember = path.slice(0, MOST_READ).replace(MEMBER_IN_PATH, '$1{member_id}');
  return maskCardNumbers(withoutMember).slice(0, MOST_LOGGED);
}

const MEMBER_IN_PATH = /(\/members\/)[^/]+/i;
const MOST_LOGGED = 200;
/** Masking shortens the text, so the text is cut later: a card number must not be cut in two before. */
const MOST_READ = 10 * MOST_LOGGED;
