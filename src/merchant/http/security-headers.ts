// Headers of every answer. helmet's defaults, with a content policy that allows our own files only.

import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config';

type HeaderConfig = Pick<Config, 'production' | 'returnOrigins'>;

/**
 * `production`: over plain HTTP, `upgrade-insecure-requests` and HSTS would send form posts to an https that is not
 * there, on any host but loopback: only production has TLS in front.
 * `returnOrigins`: browsers such as Chromium apply `form-action` to the redirect that answers a posted form, too.
 */
export function securityHeaders({ production, returnOrigins }: HeaderConfig): RequestHandler {
  return helmet({
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
    // With `no-referrer` browsers send `Origin: null` on our own forms, and the origin check would refuse them.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: production,
  });
}
