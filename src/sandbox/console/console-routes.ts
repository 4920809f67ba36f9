// The console for people at /console: one page, rendered here, that works without JavaScript; a small script keeps the
// list of what happened fresh.
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { Eta } from 'eta';
import { join } from 'node:path';
import type { ControlParts } from '../controls/control-routes';
import { Refusal } from '../http/answer';
import { consoleActions } from './console-actions';
import { viewActivity, viewConsole } from './console-view';

const VIEWS = join(__dirname, '../../../views/sandbox');
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export function consoleRoutes(parts: ControlParts): Router {
  const eta = new Eta({ views: VIEWS, cache: true });
  const routes = Router({ caseSensitive: true });
  const page = (response: Response, message: string | null) =>
    response.type('html').send(eta.render('./console', { ...viewConsole(parts), message }));

  routes.use(secure);
  routes.get('/', (_request, response) => void page(response, null));
  routes.get('/activity', (_request, response) => {
    response.type('html').send(eta.render('./activity', viewActivity(parts)));
  });
  for (const asset of ['console.css', 'console.js'])
    routes.get(`/${asset}`, (_request, response) => response.sendFile(join(VIEWS, asset)));

  routes.use(express.urlencoded({ extended: false, limit: '100kb' }));
  routes.use(consoleActions(parts));
  // What could not be done is said at the top of the same page. Express knows this handler by its four parameters.
  routes.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof Refusal)) return next(error);
    response.status(error.answer.status);
    page(response, error.message);
  });
  return routes;
}

function secure(request: Request, response: Response, next: NextFunction) {
  response.set({
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  // Another site's page must not press these buttons in the developer's browser.
  const from = request.headers['sec-fetch-site'];
  if (request.method === 'POST' && from !== undefined && from !== 'same-origin' && from !== 'none') {
    response.status(403).type('text').send('only from the console itself');
    return;
  }
  next();
}
