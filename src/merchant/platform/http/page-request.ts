// One request for a page: what its handler needs, the parsers of posted forms, pages that refresh themselves, and those to
// which the payment window returns. Only the routes need to know Express.

import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import { originCheck } from './origin-check';
import { linkIn, type Views } from './views';

/** One request for a page and its response. */
export type PageRequest = {
  request: Request;
  response: Response;
  views: Views;
};

type PageHandler = (context: Context, asked: PageRequest) => Promise<void>;

/** Turns page handlers into route handlers. */
export function pagesOf(context: Context, views: Views): (handle: PageHandler) => RequestHandler {
  return (handle) => (request, response) => handle(context, { request, response, views });
}

/** 405 for every method that a path does not accept. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allow);
    throw new HttpError(platformErrors.method_not_allowed);
  };
}

/**
 * Parses posted forms: urlencoded as a page sends them, or JSON under the same rules; never compressed. 413 above 16 kB
 * or 30 fields, 415 for any other type. `request.body` is still untrusted afterwards.
 */
export const readForm = formReader(30);

/** The same for operators, who can select a hundred rows at once. */
export const readLongForm = formReader(128);

function formReader(parameterLimit: number): RequestHandler[] {
  return [
    express.urlencoded({ extended: false, limit: '16kb', parameterLimit, inflate: false }),
    express.json({ limit: '16kb', inflate: false }),
    (request, _response, next) => {
      if (request.body === undefined) throw new HttpError(platformErrors.unsupported_type);
      next();
    },
  ];
}

/** 405 for a request with such a field in its query: URLs end up in logs and browser histories. */
export function refuseInQuery(fields: readonly string[]): RequestHandler {
  return (request, response, next) => {
    if (fields.some((field) => field in request.query)) {
      response.set('Allow', 'POST');
      throw new HttpError(platformErrors.secret_in_query);
    }
    next();
  };
}

/**
 * Seconds between the refreshes of a page that waits for something, by the number of refreshes so far. After the last one
 * the reader refreshes by hand.
 */
const REFRESH_AFTER_SECONDS = [3, 5, 8, 15, 30, 60, 120];

const refreshesSchema = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
  .catch(0);

/**
 * Makes a page refresh itself. A header does it, so it works without JavaScript; a link on the page stops it.
 * @param addressOf returns the address of the page for a number of refreshes
 * @param isWaiting false: nothing is left to wait for, and the page stays as it is
 * @returns the address of the page, and what the template `refresh` shows
 */
export function refreshItself(
  { request, response }: PageRequest,
  addressOf: (refreshes: number) => string,
  isWaiting = true,
) {
  const refreshes = refreshesSchema.parse(request.query['attempt']);
  const refreshSeconds = isWaiting ? (REFRESH_AFTER_SECONDS[refreshes] ?? null) : null;
  if (refreshSeconds !== null)
    response.set('Refresh', `${refreshSeconds}; url=${linkIn(request, addressOf(refreshes + 1))}`);
  const stop = addressOf(REFRESH_AFTER_SECONDS.length);
  return { path: addressOf(refreshes), data: { refreshSeconds, again: addressOf(0), stop } };
}

const readReturn = express.urlencoded({ extended: false, limit: '16kb', parameterLimit: 30, inflate: false });

/**
 * The routes of a page to which the payment window leads the browser back (§6.5.1).
 * @param leadToPage answers a post: some gateways lead back by one of their own site, so its origin is not checked. It
 * must change nothing
 */
export function returnPage(
  context: Context,
  views: Views,
  paths: string | string[],
  { show, leadToPage }: { show: PageHandler; leadToPage: PageHandler },
): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const checkOrigin = originCheck(context.config);
  const page = pagesOf(context, views);
  router.get(paths, checkOrigin, page(show));
  router.post(paths, readReturn, page(leadToPage));
  router.all(paths, checkOrigin, methodNotAllowed('GET, HEAD, POST'));
  return router;
}

/** The ids with which the browser came back, in the query or a post. */
export function returnedFields({ query, body }: Request): Record<string, unknown> {
  return { ...query, ...(body as Record<string, unknown> | undefined) };
}
