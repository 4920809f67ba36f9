// The landing page at /, and the page for an unknown address, for people. A program that asks for JSON, as most do, gets the
// envelope of an unknown path.

import { Router, type Request, type RequestHandler } from 'express';
import { securePages } from '../pages/secure-pages';
import { sendPage } from '../pages/send-page';
import type { Service } from '../service';
import { exampleWindow } from '../window/window-view';

const secure = securePages(["form-action 'self'"]);
const wantsPage = (request: Request) => request.accepts(['json', 'html']) === 'html';

export function landingRoutes(service: Service): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/', (request, response, next) => {
    if (!wantsPage(request)) return next();
    const windowHref = exampleWindow(service);
    secure(request, response, () => sendPage(request, response, 'landing', { windowHref }));
  });
  return routes;
}

export const unknownPage: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET' || !wantsPage(request)) return next();
  response.status(404);
  secure(request, response, () => sendPage(request, response, 'not-found', {}));
};
