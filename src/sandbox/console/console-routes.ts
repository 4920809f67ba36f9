// The console for people at /console: one page that works without JavaScript. A small script reloads the list of
// payments, notifications and requests.

import { join } from 'node:path';
import { Eta } from 'eta';
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import type { ControlContext } from '../controls/control-context';
import { HttpError } from '../http/answer';
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

export function consoleRoutes(context: ControlContext): Router {
  const eta = new Eta({ views: VIEWS, cache: true });
  const routes = Router({ caseSensitive: true });
  const page = (response: Response, message: string | null) =>
    response.type('html').send(eta.render('./console', { ...viewConsole(context), message }));

  routes.use(secure);
  routes.get('/', (_request, response) => void page(response, null));
  routes.get('/activity', (_request, response) => {
    response.type('html').send(eta.render('./activity', viewActivity(context)));
  });
  for (const asset of ['console.css', 'console.js'])
    routes.get(`/${asset}`, (_request, response) => response.sendFile(join(VIEWS, asset)));

  routes.use(express.urlencoded({ extended: false, limit: '100kb' }));
  routes.use(consoleActions(context));
  // The error is shown at the top of the same page. Express recognises an error handler by its four parameters.
  routes.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof HttpError)) return next(error);
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
  // The page of another site must not press these buttons in the developer's browser.
  const site = request.headers['sec-fetch-site'];
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none') {
    response.status(403).type('text').send('only the console itself can send this form');
    return;
  }
  next();
}
