// The payment window's stand-in at /window: a page on which a person acts as the buyer and chooses how the payment ends.
// It works without JavaScript: the fields stay in the address, and a button sends only the choice.

import { Router, type NextFunction, type Request, type Response } from 'express';
import { HttpError } from '../http/answer';
import { parseBracketNames } from '../http/parse-bracket-names';
import { readBody } from '../http/read-body';
import { securePages } from '../pages/secure-pages';
import { localeFor, queryText, sendPage } from '../pages/send-page';
import type { Service } from '../service';
import { returnAddress, WINDOW_CHOICES } from './choose-outcome';
import { createChosenOnce } from './chosen-once';
import { readWindow, WINDOW_NAMES, type WindowProblem, type WindowRequest } from './window-request';
import { viewProblems, viewWindow } from './window-view';

export function windowRoutes(service: Service): Router {
  const chosenOnce = createChosenOnce(service);
  const routes = Router({ caseSensitive: true });

  const refuse = (request: Request, response: Response, problems: WindowProblem[]) => {
    response.status(400);
    const data = { problems: viewProblems(problems, localeFor(request)) };
    sendPage(request, response, 'window-refused', data, { isKept: isOfWindow });
  };

  // The form's answer redirects to the shop, which may redirect anywhere: browsers check each redirect against
  // `form-action`.
  routes.use(securePages("form-action 'self' http: https:"));

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
    const window = { ...read.request, channel: read.request.channel ?? channelOf(request) };
    const payment = await chosenOnce.choose(body.window_id, window, choice);
    response.redirect(302, returnAddress(window.return_url, payment, service.config.namePrefix));
  });

  // Express recognises an error handler by its four parameters.
  routes.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof HttpError)) return next(error);
    response.status(error.answer.status);
    sendPage(request, response, 'window-refused', { reason: error.message }, { isKept: isOfWindow });
  });
  return routes;
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
