// Requests for pages have to come from a browser that is on our own pages, at our own address. This is the second line
// behind the signed form token, and the first against a foreign name that was pointed at this server (DNS rebinding).

import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../config';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';

/**
 * 400 unless there is exactly one Host (RFC 9112, section 3.2). Of two, Node.js takes the first, and a proxy before us may
 * have taken the second; joined headers no longer show it. HTTP/1.0 needs none.
 */
export const requireOneHost: RequestHandler = ({ rawHeaders, httpVersion }, response, next) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return next();
  // What the connection brings next may be meant for somebody else.
  response.set('Connection', 'close').status(400).end();
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type OriginConfig = Pick<Config, 'publicOrigin'>;

/**
 * 400 for a foreign Host; 403 for a post that another site caused. A client that sends neither `Origin` nor
 * `Sec-Fetch-Site` is no browser of today, and still needs a form token.
 */
export function originCheck(config: OriginConfig): RequestHandler {
  return (request, _response, next) => {
    if (!isOurHost(request.headers.host ?? '', config)) throw new HttpError(platformErrors.foreign_host);
    if (!SAFE_METHODS.has(request.method) && isCrossSite(request, config))
      throw new HttpError(platformErrors.cross_site);
    next();
  };
}

/** Without a configured origin, which production always has, localhost is the only name, and every address is ours. */
function isOurHost(host: string, { publicOrigin }: OriginConfig): boolean {
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
  // The scheme is not compared: behind a proxy that ends TLS we cannot know it.
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
