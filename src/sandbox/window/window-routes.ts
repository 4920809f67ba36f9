// The payment window's stand-in at /window: a page on which a person acts as the buyer and chooses how the payment ends.
// It works without JavaScript: the fields stay in the address, and a button sends only the choice.

import { Router, type NextFunction, type Request, type Response } from 'express';
import { HttpError } from '../http/answer';
import { parseBracketNames } from '../http/parse-bracket-names';
import { readBody } from '../http/read-body';
import { securePages } from '../pages/secure-pages';
import { localeFor, queryText, sendPage } from '../pages/send-page';
import type { Service } from '../service';
import { callbackResult, closedResult, isLeft, returnAddress, WINDOW_CHOICES } from './choose-outcome';
import { createChosenOnce } from './chosen-once';
import { SERVICE_WORDS } from './service-words';
import {
  callbackOrigin,
  isFramed,
  readWindow,
  WINDOW_NAMES,
  type WindowProblem,
  type WindowRequest,
} from './window-request';
import { exampleWindow, viewProblems, viewWindow } from './window-view';

export function windowRoutes(service: Service): Router {
  const chosenOnce = createChosenOnce(service);
  const routes = Router({ caseSensitive: true });

  const refuse = (request: Request, response: Response, problems: WindowProblem[]) => {
    response.status(400);
    const views = viewProblems(problems, localeFor(request));
    const text = views.map((each) => `${each.field}: ${each.text}`).join('; ');
    sendRefusal(request, response, text, {
      problems: views,
      example: exampleWindow(service),
    });
  };

  // The form's answer redirects to the shop, which may redirect anywhere: browsers check each redirect against
  // `form-action`.
  const directives = ["form-action 'self' http: https:", "script-src 'self'"];
  routes.use(securePages(directives, (request) => callbackOrigin(queryOf(request))));

  routes.get('/', (request, response) => {
    const read = readWindow(queryOf(request));
    if ('problems' in read) return refuse(request, response, read.problems);
    refuseOtherAmount(service, read.request);
    const view = viewWindow(service, read.request, localeFor(request));
    const data = { ...view, windowId: chosenOnce.newWindow() };
    sendPage(request, response, 'window', data, { isKept: isOfWindow });
  });

  routes.post('/', async (request, response) => {
    const body = await readBody(request, response);
    const read = readWindow({ ...queryOf(request), ...body });
    const choice = WINDOW_CHOICES.find((each) => each === body.outcome);
    const problems = 'problems' in read ? read.problems : [];
    if (choice === undefined) problems.push({ field: 'outcome', isMissing: !body.outcome });
    if ('problems' in read || choice === undefined) return refuse(request, response, problems);
    const words = SERVICE_WORDS[localeFor(request).lang === 'ko' ? 'ko' : 'en'];
    const window = { ...read.request, channel: read.request.channel ?? channelOf(request) };
    const payment = await chosenOnce.choose(body.window_id, window, choice, words);
    const { namePrefix } = service.config;
    const isClosed = isLeft(choice);
    if (isFramed(window)) {
      const result = isClosed ? closedResult(payment, words) : callbackResult(payment, namePrefix);
      sendResult(request, response, window.callback_origin, result);
    } else if (isClosed)
      sendPage(request, response, 'window-closed', { isLost: choice === 'lost' }, { isKept: isOfWindow });
    else response.redirect(302, returnAddress(window.return_url, payment, namePrefix));
  });

  // Express recognises an error handler by its four parameters.
  routes.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof HttpError)) return next(error);
    response.status(error.answer.status);
    sendRefusal(request, response, error.message, { reason: error.message });
  });
  return routes;
}

/** Shows the refusal, or passes its text to the page over which the window was opened. */
function sendRefusal(request: Request, response: Response, text: string, data: object): void {
  const query = queryOf(request);
  const origin = callbackOrigin(query);
  if (origin === null) return sendPage(request, response, 'window-refused', data, { isKept: isOfWindow });
  const result = { success: false, merchant_uid: query['merchant_uid'], error_msg: text };
  sendResult(request, response, origin, result);
}

/** Sends the page that passes the result to the browser script. */
function sendResult(request: Request, response: Response, origin: string, result: object): void {
  sendPage(request, response, 'window-result', { origin, result }, { isKept: isOfWindow });
}

/** Throws a 409 if another amount is registered for the order (§4.9): the window does not open. */
function refuseOtherAmount({ preparedAmounts }: Service, request: WindowRequest) {
  const { merchant_uid: merchantUid, amount, currency = 'KRW' } = request;
  const refusal = preparedAmounts.findRefusal({ merchantUid, amount, currency });
  if (refusal !== null) throw new HttpError(409, refusal);
}

const isOfWindow = (name: string) => WINDOW_NAMES.has(name.replace(/\[.*$/, ''));

const queryOf = (request: Request) => parseBracketNames(queryText(request));

/** The buyer's device (§2.4), unless the request names it. */
const channelOf = (request: Request) => (/Mobi/.test(request.get('user-agent') ?? '') ? 'mobile' : 'pc');
