// The content policy of the sandbox's pages for people: nothing from elsewhere, nothing inline, no frame around them. A
// form that the page of another site sends is refused, because it would press a button in the developer's browser.

import type { NextFunction, Request, Response } from 'express';

/** `directives` are the page's own part of the content policy; without them it may neither run scripts nor send forms. */
export function securePages(...directives: string[]) {
  const policy = [
    "default-src 'none'",
    ...directives,
    "style-src 'self'",
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return (request: Request, response: Response, next: NextFunction) => {
    response.set('content-security-policy', policy);
    const site = request.headers['sec-fetch-site'];
    if (request.method === 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none') {
      response.status(403).type('text').send('only the page itself can send this form');
      return;
    }
    next();
  };
}
