// Which requests for pages come from a browser that is on our own pages, at our own address. The second line behind
// the signed form token, and the first against a foreign name that was pointed at this server (DNS rebinding).

import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { RequestFault } from '../errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * 400 for a foreign Host; 403 for a post that another site caused. A client that sends neither `Origin` nor
 * `Sec-Fetch-Site` is no browser of today, and still needs a form token.
 */
export function createPageGuard(config: {
  production: boolean;
  publicOrigin: string | null;
}): RequestHandler {
  return (request, _response, next) => {
    if (!isOurHost(request.headers.host ?? '', config))
      throw new RequestFault(400, 'foreign_host', 'This host name is not served here.');
    if (!SAFE_METHODS.has(request.method) && isCrossSite(request, config.publicOrigin))
      throw new RequestFault(403, 'cross_site', 'This request comes from another site.');
    next();
  };
}

/** Without a configured origin: production leaves names to the reverse proxy, elsewhere there is no name but localhost. */
function isOurHost(host: string, config: { production: boolean; publicOrigin: string | null }): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  if (config.publicOrigin !== null) return host.toLowerCase() === new URL(config.publicOrigin).host;
  const { hostname } = new URL(`http://${host}`);
  return config.production || hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function isCrossSite(request: Request, publicOrigin: string | null): boolean {
  const { origin, host } = request.headers;
  if (request.headers['sec-fetch-site'] === 'cross-site') return true;
  if (origin === undefined) return false;
  if (publicOrigin !== null) return origin !== publicOrigin;
  // The scheme is not compared: behind a proxy that ends TLS it is not ours to know.
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
