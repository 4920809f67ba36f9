// The console for people at /console: one page that works without JavaScript. A small script reloads the list of
// payments, notifications and requests.

import { join } from 'node:path';
import { Eta } from 'eta';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { ControlContext } from '../controls/control-context';
import { HttpError } from '../http/answer';
import { bodyReader } from '../http/read-body';
import { securePages } from '../pages/secure-pages';
import { consoleActions } from './console-actions';
import { viewActivity, viewConsole } from './console-view';

const VIEWS = join(__dirname, '../../../views');

export function consoleRoutes(context: ControlContext): Router {
  const eta = new Eta({ views: VIEWS, cache: true });
  const routes = Router({ caseSensitive: true });
  const page = (response: Response, message: string | null) => {
    const origin = `http://${response.req.headers.host}`;
    response.type('html').send(eta.render('./sandbox/console', { ...viewConsole(context), origin, message }));
  };

  routes.use(securePages("script-src 'self'", "connect-src 'self'", "form-action 'self'"));
  routes.get('/', (_request, response) => void page(response, null));
  routes.get('/activity', (_request, response) => {
    response.type('html').send(eta.render('./sandbox/activity', viewActivity(context)));
  });

  routes.use(bodyReader('form', '100kb'));
  routes.use(consoleActions(context));
  // The error is shown at the top of the same page. Express recognises an error handler by its four parameters.
  routes.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof HttpError)) return next(error);
    response.status(error.answer.status);
    page(response, error.message);
  });
  return routes;
}
