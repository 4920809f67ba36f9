// The controls for programs and tests under /_sandbox: JSON with the document's names, without a token. The console
// has the same controls for people.

import { Router, type NextFunction, type Request, type Response } from 'express';
import { testCards } from '../billing-keys/test-cards';
import { HttpError } from '../http/answer';
import { randomFaults } from '../http/random-faults';
import { bodyReader } from '../http/read-body';
import type { Service } from '../service';
import {
  advanceClock,
  answerFollower,
  clockState,
  putClockBack,
  resetSandbox,
  type ControlContext,
} from './control-context';
import { paymentControls } from './payment-controls';

export function controlRoutes(context: ControlContext): Router {
  const { service, faults, requestLog } = context;
  const { settings, notifier, clock } = service;
  const routes = Router({ caseSensitive: true });
  routes.use(bodyReader('json', '1mb'));

  routes.get('/settings', (_request, response) => void response.json(settings.get()));
  routes.patch('/settings', (request, response) => void response.json(settings.patch(request.body)));
  routes.post('/settings/test-webhook', async (_request, response) => {
    const notification = await notifier.sendTest();
    if (!notification) throw new HttpError(400, 'webhook_url: not set');
    response.json(notification);
  });

  routes.use('/payments', paymentControls(service));
  routes.get('/test-cards', (_request, response) => void response.json(testCards));

  // With `?settled=1` the answer waits until no delivery is in progress, so that tests need no sleep.
  routes.get('/notifications', async (request, response) => {
    if (request.query.settled !== undefined) await notifier.idle();
    response.json({ notifications: notifier.list() });
  });

  routes.get('/requests', (request, response) => {
    response.json({ requests: requestLog.list(textOf(request, 'endpoint')) });
  });
  routes.get(
    '/requests/count',
    (request, response) =>
      void response.json(requestLog.count(textOf(request, 'endpoint'), textOf(request, 'status'))),
  );

  routes.get('/clock', (_request, response) => void response.json({ now: clock.now() }));
  routes.post('/clock', async (request, response) => {
    await advanceClock(context, request.body);
    response.json({ now: clock.now() });
  });
  routes.put('/clock', async (request, response) => {
    await putClockBack(context, request.body);
    response.json({ now: clock.now() });
  });
  routes.delete('/clock', async (_request, response) => {
    await service.putClockBack();
    response.json({ now: clock.now() });
  });
  // A merchant that follows asks with the time that it knows, and the answer waits for another one.
  routes.get('/clock/shop', async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await answerFollower(context, request.query['known_ms'], gone.signal);
    response.json(clockState(context));
  });

  routes.get('/faults', (_request, response) => void response.json({ faults: faults.list() }));
  routes.post('/faults', (request, response) => void response.json(faults.add(request.body)));
  routes.post('/faults/random', (request, response) => {
    response.json({ faults: randomFaults(request.body, faults.endpoints).map(faults.add) });
  });
  routes.delete('/faults', (_request, response) => {
    faults.clear();
    response.json({ faults: [] });
  });

  routes.post('/reset', (_request, response) => {
    resetSandbox(context);
    response.json({ now: clock.now() });
  });

  routes.use(
    (_request, response) => void response.status(404).json(new HttpError(404, 'path: unknown').answer.body),
  );
  routes.use(answerError(service));
  return routes;
}

function textOf({ query }: Request, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}

// Express recognises an error handler by its four parameters.
function answerError({ logger }: Service) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { answer } = error instanceof HttpError ? error : httpErrorOf(error);
    if (answer.status === 500)
      logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'a control failed');
    response.status(answer.status).json(answer.body);
  };
}

function httpErrorOf(error: unknown): HttpError {
  return error instanceof URIError
    ? new HttpError(400, 'path: cannot be decoded')
    : new HttpError(500, 'the sandbox itself failed');
}
