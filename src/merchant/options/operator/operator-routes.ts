// The operator pages: sign-in, sign-out, and every page and action behind the sign-in. This file has their common
// parts; each page and action is in the file that `ROUTES` imports it from.

import { once } from 'node:events';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { ContradictedError } from '../../core/attempts/decision';
import { parseAddressList } from '../../platform/address-list';
import type { Context } from '../../platform/context';
import { HttpError, RefusedError, ServiceError } from '../../platform/errors';
import { shownLine, strictBody } from '../../platform/http/body-fields';
import { errorResponse, refusalOf } from '../../platform/http/error-response';
import { maskCardNumbers } from '../../platform/http/mask-card-numbers';
import { originCheck } from '../../platform/http/origin-check';
import { ownUrl } from '../../platform/http/path-prefix';
import { addLogFields, type LogFields } from '../../platform/http/request-log';
import { sourceAddress } from '../../platform/http/source-address';
import { languageOf, linkIn, type Views } from '../../platform/http/views';
import { readForm, readLongForm, refuseInQuery } from '../../platform/http/visit';
import { platformErrors } from '../../platform/platform-errors';
import { queueRoutes } from './action-queue';
import { EVENT_ROUTES } from './event-list';
import { LIST_ROUTES } from './lists';
import { MEMBER_ROUTES } from './member-page';
import {
  pageData,
  textsWith,
  typedIn,
  type Failure,
  type OperatorAnswer,
  type OperatorPage,
  type OperatorRequest,
  type OperatorRoute,
} from './operator-page';
import { endedCookie, findOperator } from './operator-session';
import { ORDER_ROUTES } from './order-page';
import { countWaiting, OVERVIEW_ROUTES } from './overview';
import { PAYMENT_ROUTES } from './payment-page';
import { recordRoutes } from './record-pages';
import { REFUND_ROUTES } from './refund-form';
import { SEARCH_ROUTES } from './search';
import { signIn } from './sign-in';

const ROUTES: readonly OperatorRoute[] = [
  ...OVERVIEW_ROUTES,
  ...SEARCH_ROUTES,
  ...LIST_ROUTES,
  ...EVENT_ROUTES,
  ...ORDER_ROUTES,
  ...MEMBER_ROUTES,
  ...PAYMENT_ROUTES,
  ...REFUND_ROUTES,
];

/** Query parameters common to all pages. */
const OURS = new Set(['lang', 'done']);
/** Only these query parameters are repeated in links: others may hold card data. */
const FILTERS = new Set(['to', ...ROUTES.flatMap(({ filters = [] }) => filters)]);

const signInSchema = strictBody({
  by: shownLine(64),
  password: z.string().max(1000),
  to: z.string().optional(),
});

export function operatorRoutes(context: Context, views: Views): Router {
  const { config, clock } = context;
  const router = Router({ strict: true, caseSensitive: true });
  const texts = textsWith(context.features);
  const trustedProxies = parseAddressList(config.trustedProxies).list;
  router.use('/operator', originCheck(config), refuseInQuery(['password']));

  router.get('/operator/sign-in', (request, response) => {
    // Every other page redirects search engines to this one.
    response.set('X-Robots-Tag', 'noindex, nofollow');
    send(request, response, null, signInPage({ to: request.query['to'] }));
  });
  router.post('/operator/sign-in', ...readForm, async (request, response) => {
    const { to } = (request.body ?? {}) as { to?: unknown };
    const typed = signInSchema.safeParse(request.body);
    if (!typed.success) {
      const problem = typed.error.issues.some(({ path }) => path[0] === 'by') ? 'by' : 'password';
      return send(request, response, null, signInPage({ to, status: 400, problem }));
    }
    const { by, password } = typed.data;
    const outcome = await signIn(context, { by, password, address: sourceAddress(request, trustedProxies) });
    addLogFields(response, { outcome: outcome.kind });
    switch (outcome.kind) {
      case 'signed_in':
        response.append('Set-Cookie', outcome.cookie);
        return response.redirect(303, linkIn(request, placeOf(to)));
      case 'wrong_password':
        return send(request, response, null, signInPage({ to, by, status: 403, problem: 'wrong_password' }));
      case 'too_many':
        response.set('Retry-After', String(outcome.retryAfterSeconds));
        return send(request, response, null, signInPage({ to, by, status: 429, problem: 'too_many' }));
    }
  });
  router.use('/operator', requireOperator);
  router.post('/operator/sign-out', ...readForm, (request, response) => {
    response.append('Set-Cookie', endedCookie(config));
    response.redirect(303, linkIn(request, '/operator/sign-in'));
  });
  const more = context.features.flatMap(({ operatorPages }) => operatorPages ?? []);
  const moreRoutes = more.flatMap(({ routes }) => routes as readonly OperatorRoute[]);
  for (const route of [...ROUTES, ...recordRoutes(context), ...queueRoutes(context), ...moreRoutes])
    router[route.method](route.path, ...(route.method === 'post' ? readLongForm : []), handlerOf(route));
  router.use('/operator', (): never => {
    throw new HttpError(platformErrors.not_found);
  });
  router.use('/operator', operatorErrors);
  return router;

  /** A page redirects to the sign-in and back; an action is refused, and has done nothing. */
  async function requireOperator(request: Request, response: Response, next: () => void): Promise<void> {
    const by = await findOperator(config, request.headers.cookie, clock.now());
    if (by !== null) {
      response.locals['operator'] = by;
      return next();
    }
    addLogFields(response, { outcome: 'signed_out' });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(request, response, null, signInPage({ status: 403, problem: 'signed_out' }));
    const to = encodeURIComponent(ownAddress(request));
    response.redirect(303, linkIn(request, `/operator/sign-in?to=${to}`));
  }

  function handlerOf({ handle, page, back }: OperatorRoute): RequestHandler {
    return async (request, response) => {
      const by = operatorOf(response) ?? '';
      const params = request.params as Record<string, string>;
      const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !OURS.has(name)));
      addLogFields(response, { by });
      const log = (fields: LogFields) => addLogFields(response, fields);
      const asked: OperatorRequest = {
        by,
        params,
        query,
        body: request.body,
        words: texts[languageOf(request)],
        ownUrl: ownUrl(config, request),
        log,
      };
      response.locals['back'] = back?.(asked);
      if (page) response.locals['again'] = () => page(context, asked);
      await respond(request, response, by, await handle(context, asked));
    };
  }

  async function respond(request: Request, response: Response, by: string, answer: OperatorAnswer) {
    switch (answer.kind) {
      case 'page': {
        const waiting = await countWaiting(context);
        return send(request, response, by, { ...answer.page, data: { waiting, ...answer.page.data } });
      }
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

  function send(
    request: Request,
    response: Response,
    by: string | null,
    page: OperatorPage,
    failure: Failure | null = null,
  ): void {
    const { status = 200, template, title, place, isError = false, data } = page;
    views.send(request, response, {
      status,
      template: `operator/${template}`,
      texts,
      title: (t) => `${title(t)} - ${t.operator.name}`,
      isError,
      path: request.method === 'GET' ? ownAddress(request) : shownAddress(backOf(response)),
      data: {
        ...pageData(context, { by, place, failure, done: request.query['done'] }),
        morePlaces: more,
        morePlace: null,
        ...data,
      },
    });
  }

  /** Shows an error on the page of the refused form, or on its own page. */
  // Express recognises an error handler by its four parameters.
  async function operatorErrors(error: unknown, request: Request, response: Response, next: NextFunction) {
    const { status, code, message, retryAfterSeconds } = errorResponse(error);
    if (status >= 500) context.logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    if (status === 403)
      context.logger.warn({
        event: 'page_refused',
        ...refusalOf(request, code),
        by: operatorOf(response),
      });
    if (response.headersSent) return next(error);
    addLogFields(response, { outcome: code });
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    const { again } = response.locals as { again?: () => Promise<OperatorAnswer> };
    // The page's subject may no longer exist, or the same outage may affect this page.
    const shown = await again?.().catch(() => null);
    const page: OperatorPage =
      shown?.kind === 'page'
        ? shown.page
        : {
            template: 'error',
            title: ({ operator }) => operator.failed.title,
            place: null,
            data: { back: shownAddress(backOf(response)) },
          };
    // This handler is mounted at /operator, which its `path` does not include.
    const action = request.baseUrl + request.path;
    const form = request.method === 'POST' ? { action, typed: typedIn(request.body) } : null;
    const failure = {
      code,
      fields: code === 'invalid_request' ? fieldsOf(message) : [],
      contradiction: error instanceof ContradictedError ? error.contradiction : null,
      serviceSays: serviceWords(error),
      requestId: request.id,
      form,
    };
    send(request, response, operatorOf(response), { ...page, status, isError: true }, failure);
  }
}

type SignInProblem = 'by' | 'password' | 'wrong_password' | 'too_many' | 'signed_out';
type SignInPage = { to?: unknown; by?: string; status?: number; problem?: SignInProblem };

function signInPage({ to, by = '', status = 200, problem }: SignInPage): OperatorPage {
  return {
    status,
    template: 'sign-in',
    title: ({ operator }) => operator.signIn.title,
    place: null,
    isError: problem !== undefined,
    data: { to: placeOf(to), name: by, problem: problem ?? null },
  };
}

/** Parses the message of `parseRequest`: each problem begins with its field. */
const fieldsOf = (message: string): string[] => [
  ...new Set(message.split('; ').map((problem) => problem.split(/[.:]/, 1)[0] ?? '')),
];

function serviceWords(error: unknown): string | null {
  if (error instanceof RefusedError) return error.serviceMessage ?? null;
  return error instanceof ServiceError ? (error.facts.serviceMessage ?? null) : null;
}

/** The redirect target of a sign-in: always one of the operator pages, whatever the query says. */
function placeOf(to: unknown): string {
  return typeof to === 'string' &&
    /^\/operator(\/[\w./-]*)?(\?[\w%&=.,:+-]*)?$/.test(to) &&
    !to.includes('..')
    ? to
    : '/operator';
}

function operatorOf({ locals }: Response): string | null {
  return (locals['operator'] as string | undefined) ?? null;
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
