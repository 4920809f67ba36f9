// Requests for pages must come from a browser on our own pages, under our own host name. This is a second defence after
// the signed form token, and the first one against DNS rebinding.

import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../config';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type OriginConfig = Pick<Config, 'publicOrigin'>;

/**
 * 400 for a foreign Host; 403 for a post caused by another site. A client that sends neither `Origin` nor
 * `Sec-Fetch-Site` is not a current browser, and still needs a form token.
 */
export function originCheck(config: OriginConfig): RequestHandler {
  return (request, _response, next) => {
    if (!isOurHost(request, config)) throw new HttpError(platformErrors.foreign_host);
    if (!SAFE_METHODS.has(request.method) && isCrossSite(request, config))
      throw new HttpError(platformErrors.cross_site);
    next();
  };
}

/**
 * Without a configured origin (production always has one), localhost is the only allowed name, and every IP address is
 * allowed.
 */
export function isOurHost({ headers }: Request, { publicOrigin }: OriginConfig): boolean {
  const { host = '' } = headers;
  if (!URL.canParse(`http://${host}`)) return false;
  if (publicOrigin !== null) return host.toLowerCase() === new URL(publicOrigin).host;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function isCrossSite({ headers }: Request, { publicOrigin }: OriginConfig): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  if (origin === undefined) return false;
  if (publicOrigin !== null) return origin !== publicOrigin;
  // The scheme is not compared: it is unknown behind a proxy that terminates TLS.
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
