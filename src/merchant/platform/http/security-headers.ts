// Headers of every answer: helmet's defaults, a content security policy that allows only our own files, and no caching.
// Files under /static override the latter (app.ts).

import type { RequestHandler } from 'express';
import type { HelmetOptions } from 'helmet';
import type { Config } from '../config';

export type HeaderConfig = Pick<Config, 'production' | 'returnOrigins'>;

/**
 * `production`: only production has TLS in front. Over plain HTTP, `upgrade-insecure-requests` and HSTS would send form
 * posts to an https address that does not exist, except on loopback.
 * `returnOrigins`: Chromium and other browsers apply `form-action` also to the redirect after a form post.
 */
export function helmetOptions({ production, returnOrigins }: HeaderConfig): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'", ...returnOrigins],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        ...(production ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    frameguard: { action: 'deny' },
    // Our own files and pages, too, get no path or query in `Referer`: a proxy may log it, and a query may hold the token of
    // a card link. With `no-referrer` browsers send `Origin: null` on our own forms, and the origin check would refuse them.
    referrerPolicy: { policy: 'strict-origin' },
    strictTransportSecurity: production,
  };
}

export const storeNothing: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
