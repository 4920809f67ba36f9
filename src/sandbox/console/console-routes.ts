// The console for people at /console: pages that work without JavaScript. A small script refreshes the activity stream and
// copies curl lines.

import { Router, type NextFunction, type Request, type Response } from 'express';
import type { ControlContext } from '../controls/control-context';
import { HttpError } from '../http/answer';
import { bodyReader } from '../http/read-body';
import { securePages } from '../pages/secure-pages';
import { localeFor, sendPage } from '../pages/send-page';
import { consoleActions } from './console-actions';
import { viewConsole, type Problem } from './console-view';
import { LISTS, viewList } from './list-view';
import { createPressResults, type Fields } from './press';
import { viewStart } from './start-page';
import { storyPages } from './story-pages';
import { viewLoggedRequest, viewSentNotification, viewStream } from './stream-view';
import { keptQuery } from './view-address';

export function consoleRoutes(context: ControlContext): Router {
  const results = createPressResults();
  const routes = Router({ caseSensitive: true });

  const sendConsole = (request: Request, response: Response, problem: Problem | null) => {
    const result = results.find(request.query['result']);
    const view = viewConsole(context, request, localeFor(request), { result, problem });
    sendPage(request, response, 'console/console', { ...view, place: 'home' }, { path: '/console' });
  };

  routes.use(securePages(["script-src 'self'", "connect-src 'self'", "form-action 'self'"]));
  routes.get('/', (request, response) => sendConsole(request, response, null));
  routes.get('/activity', (request, response) => {
    const stream = viewStream(context, request, localeFor(request));
    sendPage(request, response, 'console/stream', { stream, query: keptQuery(request), result: null });
  });
  routes.get('/start', (request, response) => {
    const view = viewStart(context.service, request, localeFor(request));
    sendPage(request, response, 'console/start', { ...view, place: 'start' });
  });
  for (const name of LISTS)
    routes.get(`/${name}`, (request, response) => {
      const list = viewList(context, name, request, localeFor(request));
      sendPage(request, response, 'console/list', { list, place: name });
    });

  routes.get('/requests/:number', (request, response) => {
    const item = viewLoggedRequest(context, request, localeFor(request));
    if (!item) throw new HttpError(404, 'number: unknown');
    sendPage(request, response, 'console/entry', { item, place: 'requests' });
  });
  routes.get('/notifications/:id', (request, response) => {
    const item = viewSentNotification(context, request, localeFor(request));
    if (!item) throw new HttpError(404, 'id: unknown');
    sendPage(request, response, 'console/entry', { item, place: 'notifications' });
  });

  routes.use(bodyReader('form', '100kb'));
  routes.use('/stories', storyPages(context));
  routes.use(consoleActions(context, results));
  // The error is shown at the form that was sent. Express recognises an error handler by its four parameters.
  routes.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof HttpError)) return next(error);
    const { status } = error.answer;
    const fields = (typeof request.body === 'object' ? request.body : {}) as Fields;
    const form = String(response.locals['form'] ?? '');
    response.status(status);
    sendConsole(request, response, { form, status, reason: error.message, fields: fields ?? {} });
  });
  return routes;
}
