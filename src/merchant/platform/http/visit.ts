// One visit of a page: what a handler needs to answer it, the form that was posted, and when the page asks again. With it only the
// routes have to know express.

import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { parseAddressList } from '../address-list';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import { sourceAddress } from './source-address';
import type { Views } from './views';

/** One request for a page, and what it is answered with. */
export type Visit = {
  request: Request;
  response: Response;
  views: Views;
  /** Of the browser, in the same way as the webhook sees its sender; null where it cannot be known. */
  address: string | null;
};

type PageHandler = (context: Context, visit: Visit) => Promise<void>;

/** Makes route handlers of page handlers. */
export function pagesOf(context: Context, views: Views): (handle: PageHandler) => RequestHandler {
  const trustedProxies = parseAddressList(context.config.trustedProxies).list;
  return (handle) => (request, response) =>
    handle(context, { request, response, views, address: sourceAddress(request, trustedProxies) });
}

/** 405 for every method that a path does not take. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allow);
    throw new HttpError(platformErrors.method_not_allowed);
  };
}

/**
 * Bodies of posted forms: urlencoded as a page sends them, or JSON under the same rules. They are small and never compressed.
 * 413 above 16 kB or 30 fields, 415 for any other type. `request.body` is untrusted afterwards.
 */
export const readForm = formReader(30);

/** The same for the operators, who can tick a box for each of a hundred rows. */
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

/** 405 for a request with such a field in its query: an address ends up in logs and histories of others. */
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
 * A page that waits for something asks again by itself, at growing gaps and not for ever. A header does it, so that it
 * works without JavaScript; a link on the page stops it. Until a page asks again, by how often it has done so. After
 * the last one the reader decides.
 */
const REFRESH_AFTER_SECONDS = [3, 5, 8, 15, 30, 60, 120];

/** Such an attempt asks no more. */
export const LAST_ATTEMPT = REFRESH_AFTER_SECONDS.length;

/** Seconds until a page refreshes itself. Returns null if it does not. */
export function refreshAfter(attempt: number): number | null {
  return REFRESH_AFTER_SECONDS[attempt] ?? null;
}

const attemptSchema = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
  .catch(0);

/** How often the page has refreshed itself. */
export function attemptOf({ query }: Request): number {
  return attemptSchema.parse(query['attempt']);
}
