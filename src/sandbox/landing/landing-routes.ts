// The landing page at /, for people. A program that asks for JSON, as most do, gets the envelope of an unknown path.

import { Router } from 'express';
import { securePages } from '../pages/secure-pages';
import { sendPage } from '../pages/send-page';

export function landingRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  const secure = securePages(["form-action 'self'"]);
  routes.get('/', (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') return next();
    secure(request, response, () => sendPage(request, response, 'landing', { windowHref: WINDOW }));
  });
  return routes;
}

const WINDOW = '/window?merchant_uid=order-1&amount=1000&return_url=http%3A%2F%2Flocalhost%3A3000%2F';
