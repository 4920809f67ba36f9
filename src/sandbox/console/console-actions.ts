// The buttons of the console. Each posts a form, makes the same control calls as a program would, and redirects to the
// page, which shows the result beside the form.

import { Router, type Request } from 'express';
import type { ControlContext } from '../controls/control-context';
import { HttpError } from '../http/answer';
import { settingsSchema } from '../notifications/settings';
import type { Scene } from '../stories/scene';
import { watchClock } from './happened';
import { given, readAnswers, type Fields, type Outcome, type PressResults } from './press';
import { sceneOf } from './scene-of';
import { actOnPayment, control, TRIGGERS } from './triggers';
import { viewAddress } from './view-address';

type Act = (scene: Scene, fields: Fields, request: Request) => Promise<Outcome>;

const KOREA_SECONDS = 9 * 3600;
const SETTINGS = Object.keys(settingsSchema.shape);

export function consoleActions(context: ControlContext, results: PressResults): Router {
  const { service } = context;
  const { timeline, clock, shopClock } = service;
  const routes = Router({ caseSensitive: true });

  const press = (path: string, form: string, act: Act) =>
    routes.post(path, async (request, response) => {
      const scene = sceneOf(request, service);
      const fields = (request.body ?? {}) as Fields;
      const lastId = service.notifier.list().at(-1)?.id ?? 0;
      response.locals['form'] = form;
      const readHappened = watchClock(service);
      const outcome = await act(scene, fields, request);
      const answers = await readAnswers(service, lastId);
      const happened = isMove(outcome) ? readHappened() : null;
      const result = results.keep({ ...outcome, form, done: scene.done, answers, happened });
      // The browser scrolls to the fragment and moves the focus there.
      response.redirect(303, `${viewAddress(request, { result })}#message-${form}`);
    });

  for (const [form, trigger] of Object.entries(TRIGGERS)) press(`/${form}`, form, trigger);
  press('/payments/:svc_uid/:action', 'stream', (scene, _fields, { params }) =>
    actOnPayment(scene, String(params['svc_uid']), String(params['action'])),
  );

  const advance = async (scene: Scene, fields: Fields): Promise<Outcome> => {
    await control(scene, 'POST', '/clock', given(fields, ['advance_seconds', 'sandbox_only']));
    const isAlone = fields['sandbox_only'] !== undefined || !shopClock.isFollowed();
    return { result: isAlone ? 'sandboxClock' : 'clock' };
  };
  press('/clock', 'clock', advance);
  press('/clock/next', 'clock', (scene, fields) => {
    const next = timeline.nextMs();
    if (next === undefined) throw new HttpError(409, 'there is no next event');
    const seconds = Math.max(0, Math.ceil((next - clock.nowMs()) / 1000));
    return advance(scene, { ...fields, advance_seconds: seconds });
  });
  press('/clock/to', 'clock', (scene, fields) =>
    advance(scene, { ...fields, advance_seconds: secondsUntil(fields['to'], clock.now()) }),
  );
  press('/clock/reset', 'clock', async (scene) => {
    await control(scene, 'DELETE', '/clock');
    return { result: 'clockReset' };
  });

  press('/settings', 'settings', async (scene, fields) => {
    if (fields['webhook_url'] === undefined) throw new HttpError(400, 'webhook_url: is required');
    // An empty address turns notifications off. Browsers omit boxes that are not checked.
    const boxes = SETTINGS.filter((name) => isBox(name) && fields[name] === undefined);
    const off = Object.fromEntries(boxes.map((name) => [name, false]));
    const address = fields['webhook_url'] === '' ? { webhook_url: null } : {};
    await control(scene, 'PATCH', '/settings', { ...given(fields, SETTINGS), ...off, ...address });
    return { result: 'settings' };
  });
  press('/settings/address', 'settings', async (scene) => {
    await control(scene, 'PATCH', '/settings', { webhook_url: service.config.webhookUrl ?? null });
    return { result: 'settings' };
  });
  press('/test-webhook', 'settings', async (scene) => {
    await control(scene, 'POST', '/settings/test-webhook');
    return { result: 'test' };
  });

  press('/faults', 'faults', async (scene, fields) => {
    const names = ['endpoint', 'kind', 'times', 'status', 'delay_ms', 'body', 'bytes'];
    await control(scene, 'POST', '/faults', { ...given(fields, names), ...headersOf(fields['headers']) });
    return { result: 'fault' };
  });
  press('/faults/random', 'faults', async (scene, fields) => {
    await control(scene, 'POST', '/faults/random', given(fields, ['seed', 'count']));
    return { result: 'fault' };
  });
  // The button is below the clock, beside the active faults.
  press('/faults/clear', 'clock', async (scene) => {
    await control(scene, 'DELETE', '/faults');
    return { result: 'cleared' };
  });
  press('/reset', 'reset', async (scene) => {
    await control(scene, 'POST', '/reset');
    return { result: 'reset' };
  });
  return routes;
}

const isMove = ({ result }: Outcome) => result === 'clock' || result === 'sandboxClock';

const isBox = (name: string) =>
  settingsSchema.shape[name as keyof typeof settingsSchema.shape].type === 'boolean';

/** @param to Korean time, such as `2027-01-15T17:00` */
function secondsUntil(to: unknown, now: number): number {
  const time =
    typeof to === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(to) ? Date.parse(`${to}Z`) : NaN;
  if (Number.isNaN(time)) throw new HttpError(400, 'to: must be a date with a time');
  const seconds = time / 1000 - KOREA_SECONDS - now;
  if (seconds < 0) throw new HttpError(400, 'to: is past, and the clock only goes forward');
  return seconds;
}

function headersOf(text: unknown): { headers?: Record<string, string> } {
  if (typeof text !== 'string' || text.trim() === '') return {};
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(pairs) as Record<string, string> };
}
