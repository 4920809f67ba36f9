// Headers of every answer: helmet's defaults, a content security policy that allows only our own files, and no caching.
// Files under /static override the latter (app.ts).

import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '../config';

export type HeaderConfig = Pick<Config, 'production' | 'returnOrigins'>;

/**
 * `production`: only production has TLS in front. Over plain HTTP, `upgrade-insecure-requests` and HSTS would send form
 * posts to an https address that does not exist, except on loopback.
 */
export function helmetOptions(config: HeaderConfig): HelmetOptions {
  return {
    contentSecurityPolicy: policyOf(config),
    frameguard: { action: 'deny' },
    // Our own files and pages, too, get no path or query in `Referer`: a proxy may log it, and a query may hold the token of
    // a card link. With `no-referrer` browsers send `Origin: null` on our own forms, and the origin check would refuse them.
    referrerPolicy: { policy: 'strict-origin' },
    strictTransportSecurity: config.production,
  };
}

/**
 * `returnOrigins`: Chromium and other browsers apply `form-action` also to the redirect after a form post.
 * @param loaded an origin whose scripts the page loads, and whose pages it frames
 */
function policyOf({ production, returnOrigins }: HeaderConfig, loaded: string | null = null) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...(loaded === null ? [] : [loaded])],
      ...(loaded === null ? {} : { frameSrc: [loaded] }),
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'", ...returnOrigins],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      ...(production ? { upgradeInsecureRequests: [] } : {}),
    },
  };
}

/** For one page: it may load scripts of this origin and frame its pages, as the payment window needs. */
export function allowToLoad(
  origin: string,
  config: HeaderConfig,
  request: Request,
  response: Response,
): void {
  helmet.contentSecurityPolicy(policyOf(config, origin))(request, response, () => undefined);
}

export const storeNothing: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
