// Headers of every answer: helmet's defaults, with a content policy that allows our own files only, and nothing is stored
// on the way. Files under /static alone say otherwise (app.ts). `express-server.ts` puts them on.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Config } from '../config';

type HeaderConfig = Pick<Config, 'production' | 'returnOrigins'>;

/** Names and values, the same for every answer. */
export type AnswerHeaders = readonly (readonly [name: string, value: string])[];

/**
 * `production`: over plain HTTP, `upgrade-insecure-requests` and HSTS would send form posts to an https that is not
 * there, on any host but loopback: only production has TLS in front.
 * `returnOrigins`: browsers such as Chromium apply `form-action` to the redirect that answers a posted form, too.
 */
export function securityHeaders({ production, returnOrigins }: HeaderConfig): AnswerHeaders {
  const setHeaders = helmet({
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
  // None of them depends on the request: they are made once.
  const blank = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(blank.req, blank, (error) => {
    if (error !== undefined) throw error as Error;
  });
  blank.setHeader('cache-control', 'no-store');
  return blank.getHeaderNames().map((name) => [name, String(blank.getHeader(name))]);
}
