// The buttons of the console. Each posts a form, acts, and redirects to the console.

import { Router, type Response } from 'express';
import { z } from 'zod';
import { advanceClock, resetSandbox, type ControlContext } from '../controls/control-context';
import {
  cancelInConsole,
  depositAsBuyer,
  notifyByHand,
  payAsBuyer,
  tamperWithPayment,
} from '../controls/payment-actions';
import { HttpError } from '../http/answer';
import { parseFields } from '../http/fields';
import type { Service } from '../service';

/** Not an address of the service, so that a merchant has to refuse it. */
const FOREIGN_SOURCE = '203.0.113.9';

// A browser leaves out a box that is not checked.
const box = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on');

// The other fields of the form are checked with the settings.
const settingsForm = z.looseObject({
  webhook_url: z.string().transform((value) => value || null),
  webhook_before_redirect: box,
  shuffle_arrival: box,
  resend_unless_ok: box,
  test_channel: box,
});

export function consoleActions(context: ControlContext): Router {
  const { service, faults } = context;
  const { timeline, clock, settings, notifier } = service;
  const routes = Router({ caseSensitive: true });
  const redirect = (response: Response) => response.redirect(303, '/console');

  routes.post('/pay', async (request, response) => {
    await payAsBuyer(service, request.body);
    redirect(response);
  });

  const paymentActions = new Map<string, (svcUid: string) => unknown>([
    ['deposit', (svcUid) => depositAsBuyer(service, svcUid)],
    ['cancel', (svcUid) => cancelInConsole(service, svcUid, {})],
    ['notify', (svcUid) => notifyByHand(service, svcUid, {})],
    ['duplicate', (svcUid) => notifyByHand(service, svcUid, { times: 5 })],
    ['foreign', (svcUid) => notifyByHand(service, svcUid, { source: FOREIGN_SOURCE })],
    ['lie', (svcUid) => notifyByHand(service, svcUid, { status: 'cancelled' })],
    ['forge', (svcUid) => forge(service, svcUid)],
  ]);
  routes.post('/payments/:svc_uid/:action', async (request, response) => {
    const act = paymentActions.get(request.params.action);
    if (!act) throw new HttpError(404, 'action: unknown');
    await act(request.params.svc_uid);
    redirect(response);
  });

  routes.post('/clock', async (request, response) => {
    await advanceClock(context, request.body);
    redirect(response);
  });
  routes.post('/clock/next', async (_request, response) => {
    const next = timeline.nextMs();
    if (next === undefined) throw new HttpError(409, 'there is no next event');
    await service.advance(Math.max(0, Math.ceil((next - clock.nowMs()) / 1000)));
    redirect(response);
  });

  routes.post('/settings', (request, response) => {
    settings.patch(parseFields(settingsForm, request.body));
    redirect(response);
  });
  routes.post('/test-webhook', async (_request, response) => {
    if (!(await notifier.sendTest())) throw new HttpError(409, 'webhook_url: not set');
    redirect(response);
  });

  routes.post('/faults', (request, response) => {
    faults.add(request.body);
    redirect(response);
  });
  routes.post('/faults/clear', (_request, response) => {
    faults.clear();
    redirect(response);
  });

  routes.post('/reset', (_request, response) => {
    resetSandbox(context);
    redirect(response);
  });
  return routes;
}

/** Tells the merchant of a payment whose amount was changed behind its back. */
function forge(service: Service, svcUid: string) {
  tamperWithPayment(service, svcUid, { amount: 1 });
  return notifyByHand(service, svcUid, {});
}
