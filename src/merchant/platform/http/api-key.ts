// The merchant's own systems authenticate with `Authorization: Bearer <key>`: API_KEY, which has every scope, or a key of
// a feature. A refusal is logged, and wrong keys from one network are rate-limited. A correct key is never limited.

import type { Request, RequestHandler, Response } from 'express';
import { networkOf } from '../address-list';
import { SCOPES, stateOf, type Caller, type Context, type Scope } from '../context';
import { HttpError } from '../errors';
import { platformCounters } from '../metrics';
import { platformErrors } from '../platform-errors';
import { findEqual } from '../secrets';
import { addLogFields } from './log-fields';

/**
 * Wrong keys per network (an IPv4 address, a /64 of IPv6) and minute that are answered 401; further ones get 429.
 * Counted per process: a count in the database would let unauthenticated requests cause writes. Our choice.
 */
const WRONG_KEYS_PER_MINUTE = 10;
/** Networks counted at one time. No counter could slow down a client that changes its network faster than this. */
const MOST_NETWORKS = 10_000;
const MINUTE_MS = 60_000;

/** Of the current minute. */
const createWrongKeys = () => ({ minute: 0, byNetwork: new Map<string, number>() });

/** The caller of API_KEY. No other key can have this name: it has capitals. */
const FIRST_KEY: Caller = { name: 'API_KEY', scopes: SCOPES, refundLimit: null };

export function requireApiKey(context: Context): RequestHandler {
  return async (request, response, next) => {
    const caller = await authenticate(context, request);
    response.locals['caller'] = caller;
    addLogFields(response, { api_key: caller.name });
    next();
  };
}

/** For a route behind `requireApiKey`. @throws HttpError `scope_missing` */
export function requireScope(context: Context, scope: Scope): RequestHandler {
  return (request, response, next) => {
    checkScope(context, request, callerOf(response), scope);
    next();
  };
}

export function callerOf({ locals }: Response): Caller {
  return locals['caller'] as Caller;
}

/**
 * @throws HttpError `unauthorized` or `too_many_wrong_keys`; DatabaseError if the keys of a feature could not be read
 */
export async function authenticate(context: Context, request: Request): Promise<Caller> {
  const given = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const caller = given === undefined ? null : await findCaller(context, given);
  if (caller) return caller;
  const source = request.source.client;
  const reason = given === undefined ? 'missing' : mayGuess(context, source) ? 'wrong' : 'too_many';
  refuse(context, request, { reason });
  throw new HttpError(
    reason === 'too_many' ? platformErrors.too_many_wrong_keys : platformErrors.unauthorized,
  );
}

/** @throws HttpError `scope_missing` */
export function checkScope(context: Context, request: Request, caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  refuse(context, request, { reason: 'scope', api_key: caller.name, scope });
  throw new HttpError(
    platformErrors.scope_missing,
    `The API key "${caller.name}" lacks the scope "${scope}".`,
  );
}

function refuse(context: Context, request: Request, why: { reason: string; [field: string]: string }): void {
  context.metrics.count(platformCounters.apiKeysRefused, { reason: why.reason });
  context.logger.warn({
    event: 'api_key_refused',
    ...why,
    source: request.source.client,
    request_id: request.id,
  });
}

async function findCaller(context: Context, key: string): Promise<Caller | null> {
  if (findEqual(context.config.apiKeys, key) !== null) return FIRST_KEY;
  for (const feature of context.features) {
    const caller = await feature.findCaller?.(context, key);
    if (caller) return caller;
  }
  return null;
}

/** Whether the network is below its limit for this minute. Counts this guess. */
function mayGuess(context: Context, source: string | null): boolean {
  const minute = Math.floor(context.clock.monotonicMs() / MINUTE_MS);
  const wrongKeys = stateOf(context, createWrongKeys);
  const { byNetwork } = wrongKeys;
  if (wrongKeys.minute !== minute) byNetwork.clear();
  wrongKeys.minute = minute;
  const network = networkOf(source);
  const count = (byNetwork.get(network) ?? 0) + 1;
  if (count > 1 || byNetwork.size < MOST_NETWORKS) byNetwork.set(network, count);
  return count <= WRONG_KEYS_PER_MINUTE;
}
