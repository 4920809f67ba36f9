// The console's buttons: each is a form that is posted, done, and answered with the console again.
import { Router, type Response } from 'express';
import { z } from 'zod';
import { Refusal } from '../http/answer';
import { parseFields, wholeNumber } from '../http/fields';
import type { ControlParts } from '../controls/control-routes';

const advanceSchema = z.object({ advance_seconds: wholeNumber(0, 366 * 86_400) });
const FOREIGN_SOURCE = '203.0.113.9';

export function consoleActions({ service, faults, requestLog, actions }: ControlParts): Router {
  const routes = Router({ caseSensitive: true });
  const { timeline, clock, settings, notifier } = service;
  const back = (response: Response) => response.redirect(303, '/console');

  routes.post('/pay', async (request, response) => {
    await actions.pay(request.body);
    back(response);
  });

  const onPayment: Record<string, (svcUid: string) => unknown> = {
    deposit: (svcUid) => actions.deposit(svcUid),
    cancel: (svcUid) => actions.cancel(svcUid, {}),
    notify: (svcUid) => actions.notify(svcUid, {}),
    duplicate: (svcUid) => actions.notify(svcUid, { times: 5 }),
    foreign: (svcUid) => actions.notify(svcUid, { source: FOREIGN_SOURCE }),
    lie: (svcUid) => actions.notify(svcUid, { status: 'cancelled' }),
    forge: (svcUid) => {
      actions.tamper(svcUid, { amount: 1 });
      return actions.notify(svcUid, {});
    },
  };
  routes.post('/payments/:svc_uid/:action', async (request, response) => {
    const act = onPayment[request.params.action];
    if (!act) throw new Refusal(404, 'action: unknown');
    await act(request.params.svc_uid);
    back(response);
  });

  routes.post('/clock', async (request, response) => {
    await service.advance(parseFields(advanceSchema, request.body).advance_seconds);
    back(response);
  });
  routes.post('/clock/next', async (_request, response) => {
    const next = timeline.nextMs();
    if (next === undefined) throw new Refusal(409, 'nothing is waiting for its time');
    await service.advance(Math.max(0, Math.ceil((next - clock.nowMs()) / 1000)));
    back(response);
  });

  routes.post('/settings', (request, response) => {
    const { webhook_url, webhook_before_redirect, shuffle_arrival, ...chosen } = request.body as Record<
      string,
      string
    >;
    settings.patch({
      ...chosen,
      webhook_url: webhook_url || null,
      webhook_before_redirect: webhook_before_redirect === 'on',
      shuffle_arrival: shuffle_arrival === 'on',
    });
    back(response);
  });
  routes.post('/test-webhook', async (_request, response) => {
    if (!(await notifier.sendTest())) throw new Refusal(409, 'webhook_url: not set');
    back(response);
  });

  routes.post('/faults', (request, response) => {
    faults.add(request.body);
    back(response);
  });
  routes.post('/faults/clear', (_request, response) => {
    faults.clear();
    back(response);
  });

  routes.post('/reset', (_request, response) => {
    service.reset();
    faults.clear();
    requestLog.clear();
    back(response);
  });
  return routes;
}
