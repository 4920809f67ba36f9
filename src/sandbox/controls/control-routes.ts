// The controls under /_sandbox, for programs and tests: JSON, always with the document's own names, no token.
// What people see of the same is the console.
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { z } from 'zod';
import { testCards } from '../billing-keys/test-cards';
import { Refusal } from '../http/answer';
import type { Faults } from '../http/faults';
import { parseFields, wholeNumber } from '../http/fields';
import { randomFaults } from '../http/random-faults';
import type { RequestLog } from '../http/request-log';
import type { Service } from '../service';
import type { PaymentActions } from './payment-actions';
import { paymentControls } from './payment-controls';

export type ControlParts = {
  service: Service;
  faults: Faults;
  requestLog: RequestLog;
  actions: PaymentActions;
};

const advanceSchema = z.object({ advance_seconds: wholeNumber(0, 366 * 86_400) });

export function controlRoutes({ service, faults, requestLog, actions }: ControlParts): Router {
  const routes = Router({ caseSensitive: true });
  const { settings, notifier, clock } = service;
  routes.use(express.json({ limit: '1mb' }));

  routes.get('/settings', (_request, response) => void response.json(settings.get()));
  routes.patch('/settings', (request, response) => void response.json(settings.patch(request.body ?? {})));
  routes.post('/settings/test-webhook', async (_request, response) => {
    const notification = await notifier.sendTest();
    if (!notification) throw new Refusal(400, 'webhook_url: not set');
    response.json(notification);
  });

  routes.use('/payments', paymentControls(actions));
  routes.get('/test-cards', (_request, response) => void response.json(testCards));

  // `?settled=1` answers when no delivery is under way: what a test waits for instead of sleeping.
  routes.get('/notifications', async (request, response) => {
    if (request.query.settled !== undefined) await notifier.settled();
    response.json({ notifications: notifier.list() });
  });

  routes.get('/requests', (request, response) => {
    response.json({ requests: requestLog.list(endpointOf(request)) });
  });
  routes.get(
    '/requests/count',
    (request, response) => void response.json(requestLog.count(endpointOf(request))),
  );

  routes.get('/clock', (_request, response) => void response.json({ now: clock.now() }));
  routes.post('/clock', async (request, response) => {
    await service.advance(parseFields(advanceSchema, request.body).advance_seconds);
    response.json({ now: clock.now() });
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
    service.reset();
    faults.clear();
    requestLog.clear();
    response.json({ now: clock.now() });
  });

  routes.use(
    (_request, response) => void response.status(404).json(new Refusal(404, 'path: unknown').answer.body),
  );
  routes.use(refuse(service));
  return routes;
}

function endpointOf(request: Request): string | undefined {
  const { endpoint } = request.query;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

// Express knows an error handler by its four parameters.
function refuse({ logger }: Service) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { answer } = error instanceof Refusal ? error : refusalOf(error);
    if (answer.status === 500)
      logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'control failed');
    response.status(answer.status).json(answer.body);
  };
}

function refusalOf(error: unknown): Refusal {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 500;
  return typeof status === 'number' && status < 500
    ? new Refusal(400, 'body: cannot be read as JSON')
    : new Refusal(500, 'the sandbox itself failed');
}
