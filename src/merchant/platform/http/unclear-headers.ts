// Refuses a request whose headers may not be what its sender and the proxies have written: no later check could trust
// them. The first check of every request, on every route.

import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Context } from '../context';
import { platformCounters, type UnclearHeaders } from '../metrics';

/**
 * Node.js keeps about this many header lines of a request and drops the others without an error. The lines that a proxy
 * adds are the last ones: without them, the sender's own `X-Forwarded-For` would count. So a request with this many is
 * refused.
 */
export const MOST_HEADER_LINES = 1_000;
/** A request passes a few proxies. Each address is parsed, so their number is limited before the first one is. */
const MOST_FORWARDED = 100;

/**
 * Of two lines, Node.js uses the first and a proxy in front may have used the second (RFC 9110, section 5.3). Lists
 * such as `X-Forwarded-For` and `Cookie` may have several lines, which count as one.
 */
const SINGLE_LINES = ['host', 'authorization', 'content-type', 'origin', 'sec-fetch-site'];
const LENGTHS = SINGLE_LINES.map((name) => name.length);

const STATUS: Record<UnclearHeaders, number> = {
  too_many_lines: 431,
  too_many_addresses: 431,
  host: 400,
  repeated: 400,
};

export function refuseUnclearHeaders({ logger, metrics }: Context): RequestHandler {
  return (request, response, next) => {
    const reason = findUnclear(request);
    if (reason === null) return next();
    metrics.count(platformCounters.headersRefused, { reason });
    logger.warn({ event: 'headers_refused', reason, peer: request.socket.remoteAddress });
    // The next request on this connection may be meant for another host.
    response.set('Connection', 'close').status(STATUS[reason]).end();
  };
}

function findUnclear({ rawHeaders, headers, httpVersion }: IncomingMessage): UnclearHeaders | null {
  // Names and values alternate.
  if (rawHeaders.length >= 2 * MOST_HEADER_LINES) return 'too_many_lines';
  const repeated = findRepeated(rawHeaders);
  if (repeated !== null) return repeated === 'host' ? 'host' : 'repeated';
  // HTTP/1.0 needs no Host.
  if (headers.host === undefined && httpVersion !== '1.0') return 'host';
  return namesTooMany(headers['x-forwarded-for'] as string | undefined) ? 'too_many_addresses' : null;
}

function findRepeated(rawHeaders: readonly string[]): string | null {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const written = rawHeaders[index] as string;
    // Most names are told apart by their length, which costs less.
    if (!LENGTHS.includes(written.length)) continue;
    const name = written.toLowerCase();
    if (!SINGLE_LINES.includes(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return null;
}

function namesTooMany(forwarded = ''): boolean {
  let at = -1;
  for (let count = 0; count < MOST_FORWARDED; count += 1) {
    at = forwarded.indexOf(',', at + 1);
    if (at < 0) return false;
  }
  return true;
}
