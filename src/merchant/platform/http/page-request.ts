// One request for a page: what its handler needs, the parsers of posted forms, and the intervals at which pages refresh
// themselves. Only the routes need to know Express.

import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import type { Views } from './views';

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
 * Seconds between the refreshes of a page that waits for something, by the number of refreshes so far. A header does
 * it, so it works without JavaScript; a link on the page stops it. After the last one the reader refreshes by hand.
 */
const REFRESH_AFTER_SECONDS = [3, 5, 8, 15, 30, 60, 120];

/** The page does not refresh itself after this attempt. */
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
