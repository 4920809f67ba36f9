// The merchant's own systems authenticate with `Authorization: Bearer <API_KEY>`. A refusal is logged, and wrong keys
// from one network are rate-limited. A correct key is never limited.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { networkOf } from '../address-list';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import type { Secrets } from '../secrets';
import { httpCounters } from './metrics';

/**
 * Wrong keys per network (an IPv4 address, a /64 of IPv6) and minute that are answered 401; further ones get 429.
 * Counted per process: a count in the database would let unauthenticated requests cause writes. Our choice.
 */
const WRONG_KEYS_PER_MINUTE = 10;
/** Networks counted at one time. No counter could slow down a client that changes its network faster than this. */
const MOST_NETWORKS = 10_000;
const MINUTE_MS = 60_000;

type WrongKeys = { minute: number; byNetwork: Map<string, number> };
const wrongKeys = new WeakMap<Context, WrongKeys>();

export function requireApiKey(context: Context): RequestHandler {
  return (request, _response, next) => {
    checkApiKey(context, request);
    next();
  };
}

/**
 * Compares each key in constant time.
 * @throws HttpError `unauthorized` or `too_many_wrong_keys`
 */
export function checkApiKey(context: Context, request: Request): void {
  const given = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given !== undefined && isApiKey(given, context.config.apiKeys)) return;
  const source = request.source.client;
  const reason = given === undefined ? 'missing' : mayGuess(context, source) ? 'wrong' : 'too_many';
  context.metrics.count(httpCounters.apiKeysRefused, { reason });
  context.logger.warn({ event: 'api_key_refused', reason, source, request_id: request.id });
  throw new HttpError(
    reason === 'too_many' ? platformErrors.too_many_wrong_keys : platformErrors.unauthorized,
  );
}

function isApiKey(given: string, apiKeys: Secrets): boolean {
  return apiKeys.some((apiKey) => timingSafeEqual(digest(given), digest(apiKey)));
}

/** Whether the network is below its limit for this minute. Counts this guess. */
function mayGuess(context: Context, source: string | null): boolean {
  const minute = Math.floor(context.clock.monotonicMs() / MINUTE_MS);
  const known = wrongKeys.get(context);
  const { byNetwork } = known?.minute === minute ? known : { byNetwork: new Map<string, number>() };
  wrongKeys.set(context, { minute, byNetwork });
  const network = source === null ? 'unknown' : networkOf(source);
  const count = (byNetwork.get(network) ?? 0) + 1;
  if (count > 1 || byNetwork.size < MOST_NETWORKS) byNetwork.set(network, count);
  return count <= WRONG_KEYS_PER_MINUTE;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
