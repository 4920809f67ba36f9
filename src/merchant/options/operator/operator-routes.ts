// The operator pages: sign-in, sign-out, and every page and action behind the sign-in. This file has their common
// parts; each page and action is in the file that `ROUTES` imports it from.

import { once } from 'node:events';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Context, OperatorPages } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { refusalOf, startErrorResponse } from '../../platform/http/error-response';
import { addLogFields, sentFrom } from '../../platform/http/log-fields';
import { maskCardNumbers } from '../../platform/http/mask-card-numbers';
import { originCheck } from '../../platform/http/origin-check';
import { readForm, readLongForm, refuseInQuery } from '../../platform/http/page-request';
import { ownUrl } from '../../platform/http/path-prefix';
import { languageOf, linkIn, type Views } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { AUDIT_PAGES, handleRecorded, recordRoleMissing, recordSession } from './accounts/audit';
import { accountErrors } from './accounts/errors';
import { isRead, operatorOf, requireOperator } from './accounts/guard-routes';
import { OWN_ACCOUNT_ROUTES } from './accounts/own-account-page';
import { ACCOUNT_PAGES } from './accounts/pages';
import { endSession } from './accounts/session';
import { signInPage, signInRoutes } from './accounts/sign-in-routes';
import { fieldsAtFault, toRefusal, typedIn, type Failure } from './frame/failure';
import {
  pageData,
  type OperatorAnswer,
  type OperatorPage,
  type OperatorRequest,
  type OperatorRoute,
} from './frame/page';
import { placeGroups } from './frame/places';
import { may, type Role, type SignedIn } from './frame/roles';
import { EVENT_ROUTES } from './lists/event-list';
import { LIST_ROUTES } from './lists/pages';
import { SEARCH_ROUTES } from './lists/search';
import { queueRoutes } from './queue/pages';
import { textsWith } from './texts';
import { MEMBER_ROUTES } from './things/member-page';
import { ORDER_ROUTES } from './things/order-page';
import { countWaiting, OVERVIEW_ROUTES } from './things/overview';
import { PAYMENT_ROUTES } from './things/payment-page';
import { recordRoutes } from './things/record-pages';

const ROUTES: readonly OperatorRoute[] = [
  ...OVERVIEW_ROUTES,
  ...SEARCH_ROUTES,
  ...LIST_ROUTES,
  ...EVENT_ROUTES,
  ...ORDER_ROUTES,
  ...MEMBER_ROUTES,
  ...PAYMENT_ROUTES,
  ...OWN_ACCOUNT_ROUTES,
];

/** Query parameters common to all pages. */
const OURS = new Set(['lang', 'done']);
/** Only these query parameters are repeated in links: others may hold card data. */
const FILTERS = new Set(['to', ...ROUTES.flatMap(({ filters = [] }) => filters)]);

export function operatorRoutes(context: Context, views: Views): Router {
  const { config } = context;
  const router = Router({ strict: true, caseSensitive: true });
  const ofOptions = context.features.flatMap(({ operatorPages }) => operatorPages ?? []);
  const more: OperatorPages[] = [...ofOptions, ACCOUNT_PAGES, AUDIT_PAGES];
  const texts = textsWith(context.features, more);
  router.use(
    '/operator',
    originCheck(config),
    refuseInQuery(['password', 'code', 'current', 'next', 'secret']),
  );
  router.use(signInRoutes(context, (request, response, page) => send(request, response, null, page)));
  router.use('/operator', requireOperator(context, refuseStranger));
  router.post('/operator/sign-out', ...readForm, async (request, response) => {
    response.append('Set-Cookie', await endSession(context, request.headers.cookie));
    const operator = operatorOf(response);
    if (operator) await recordSession(context, 'sign-out', { ...operator, sent: sentFrom(request) }, 'done');
    // Pages that the browser has kept show nothing to the next person.
    response.set('Clear-Site-Data', '"cache"');
    response.redirect(303, linkIn(request, '/operator/sign-in'));
  });
  const moreRoutes = more.flatMap(({ routes }) => routes as readonly OperatorRoute[]);
  for (const route of [...ROUTES, ...recordRoutes(context), ...queueRoutes(context), ...moreRoutes])
    router[route.method](route.path, ...(route.method === 'post' ? readLongForm : []), handlerOf(route));
  router.use('/operator', (): never => {
    throw new HttpError(platformErrors.not_found);
  });
  router.use('/operator', showError);
  return router;

  /** A page redirects to the sign-in and back; an action is refused, and has done nothing. */
  function refuseStranger(request: Request, response: Response): void {
    if (!isRead(request))
      return send(request, response, null, signInPage({ status: 403, problem: 'signed_out' }));
    const to = encodeURIComponent(ownAddress(request));
    response.redirect(303, linkIn(request, `/operator/sign-in?to=${to}`));
  }

  function handlerOf(route: OperatorRoute): RequestHandler {
    const { page, back } = route;
    return async (request, response) => {
      const operator = operatorOf(response);
      if (operator === null) throw new HttpError(accountErrors.role_missing);
      const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !OURS.has(name)));
      addLogFields(response, { by: operator.by });
      const asked: OperatorRequest = {
        ...operator,
        params: request.params as Record<string, string>,
        query,
        body: request.body,
        words: texts[languageOf(request)],
        ownUrl: ownUrl(config, request),
        sent: sentFrom(request),
        log: (fields) => addLogFields(response, fields),
      };
      if (!may(operator.role, roleOf(route))) {
        await recordRoleMissing(context, route, asked);
        throw new HttpError(accountErrors.role_missing);
      }
      response.locals['back'] = back?.(asked);
      if (page) response.locals['again'] = () => page(context, asked);
      await respond(request, response, operator, await handleRecorded(context, route, asked));
    };
  }

  async function respond(request: Request, response: Response, operator: SignedIn, answer: OperatorAnswer) {
    switch (answer.kind) {
      case 'page':
        return send(request, response, operator, await withWaiting(operator, answer.page));
      case 'redirect': {
        const mark = answer.to.includes('?') ? '&' : '?';
        const done = answer.done === null ? '' : `${mark}done=${answer.done}`;
        return response.redirect(303, linkIn(request, `${answer.to}${done}`));
      }
      case 'csv':
        response.type('text/csv; charset=utf-8').attachment(`${answer.name}.csv`);
        for await (const line of answer.lines) {
          if (response.destroyed) return;
          if (!response.write(line)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
        return response.end();
    }
  }

  /** With the number of items that wait, for the navigation. With OPERATOR_PASSWORD in production, not even that. */
  async function withWaiting(operator: SignedIn, page: OperatorPage): Promise<OperatorPage> {
    const waiting = makesFirstAccount(operator) ? null : await countWaiting(context);
    return { ...page, data: { waiting, ...page.data } };
  }

  function send(
    request: Request,
    response: Response,
    operator: SignedIn | null,
    page: OperatorPage,
    failure: Failure | null = null,
  ): void {
    const { status = 200, template, title, place, isError = false, data } = page;
    const { role = null, session = null } = operator ?? {};
    const lang = languageOf(request);
    const done = request.query['done'];
    views.send(request, response, {
      status,
      template: `operator/${template}`,
      texts,
      title: (t) => `${title(t)} - ${t.operator.name}`,
      isError,
      path: request.method === 'GET' ? ownAddress(request) : shownAddress(backOf(response)),
      data: {
        ...pageData(context, { lang, words: texts[lang], operator, place, failure, done }),
        canSignOut: session !== null,
        makesFirstAccount: operator !== null && makesFirstAccount(operator),
        placeGroups: placeGroups(
          context,
          { words: texts[lang], lang, place },
          more.filter((each) => role !== null && may(role, roleOfPlace(each))),
        ),
        ...data,
      },
    });
  }

  /** All that OPERATOR_PASSWORD does in production (`missingFirst`). */
  function makesFirstAccount({ accountId }: SignedIn): boolean {
    return config.production && accountId === null;
  }

  /** Shows an error on the page of the refused form, or on its own page. */
  // Express recognises an error handler by its four parameters.
  async function showError(error: unknown, request: Request, response: Response, next: NextFunction) {
    const { status, code } = startErrorResponse(context, error, { request, response });
    if (status === 403)
      context.logger.warn({
        event: 'page_refused',
        ...refusalOf(request, code),
        by: operatorOf(response)?.by,
      });
    if (response.headersSent) return next(error);
    const { again } = response.locals as { again?: () => Promise<OperatorAnswer> };
    // The page's subject may no longer exist, or the same outage may affect this page.
    const shown = await again?.().catch(() => null);
    const operator = operatorOf(response);
    const refused: OperatorPage =
      shown?.kind === 'page'
        ? shown.page
        : {
            template: 'error',
            title: ({ operator: { failed } }) => (status === 404 ? failed.notFound : failed.title),
            place: null,
            data: { back: shownAddress(backOf(response)), isNotFound: status === 404 },
          };
    // This handler is mounted at /operator, which its `path` does not include.
    const action = request.baseUrl + request.path;
    const form = request.method === 'POST' ? { action, typed: typedIn(request.body) } : null;
    const failure = { ...toRefusal(error), fields: fieldsAtFault(error), requestId: request.id, form };
    // An outage of the database would hold up this page as well.
    const page = operator && status < 500 ? await withWaiting(operator, refused) : refused;
    send(request, response, operator, { ...page, status, isError: true }, failure);
  }
}

function roleOf({ role = 'view' }: OperatorRoute): Role {
  return role;
}

/** The role that the page of a place needs. */
function roleOfPlace({ path, routes }: Pick<OperatorPages, 'path' | 'routes'>): Role {
  const page = (routes as readonly OperatorRoute[]).find(
    (route) => route.method === 'get' && route.path === path,
  );
  return page ? roleOf(page) : 'view';
}

/** Where a refused action leads back to. */
function backOf({ locals }: Response): string {
  return (locals['back'] as string | undefined) ?? '/operator';
}

/** The request's own URL, for the language switch and for the redirect after a sign-in. */
function ownAddress({ originalUrl }: Request): string {
  const { pathname, searchParams } = new URL(originalUrl, 'http://localhost');
  const kept = [...searchParams].filter(([name]) => FILTERS.has(name));
  const address = kept.length === 0 ? pathname : `${pathname}?${new URLSearchParams(kept).toString()}`;
  return shownAddress(address);
}

/** A URL as it may appear on a page: not if it has what looks like a card number. */
function shownAddress(address: string): string {
  return maskCardNumbers(address) === address ? address : '/operator';
}
