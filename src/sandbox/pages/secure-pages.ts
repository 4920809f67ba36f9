// The content policy of the sandbox's pages: no resources of other hosts, nothing inline, no framing unless the route allows it.
// Forms posted by pages of other sites are refused, because they would act through the developer's browser (CSRF).

import type { NextFunction, Request, Response } from 'express';

/**
 * @param directives the page's own part of the policy; without them it can neither run scripts nor send forms
 * @param frameOf the origin whose pages may frame this one; null: none
 */
export function securePages(directives: string[], frameOf: (request: Request) => string | null = () => null) {
  const policy = [
    "default-src 'none'",
    ...directives,
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
  ].join('; ');
  return (request: Request, response: Response, next: NextFunction) => {
    const framing = `frame-ancestors ${frameOf(request) ?? "'none'"}`;
    response.set('content-security-policy', `${policy}; ${framing}`);
    const site = request.headers['sec-fetch-site'];
    if (request.method === 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none') {
      response.status(403).type('text').send('only the page itself can send this form');
      return;
    }
    next();
  };
}
