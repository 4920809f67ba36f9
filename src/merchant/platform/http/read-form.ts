// Bodies of posted forms: urlencoded as a page sends them, or JSON under the same rules. They are small and never
// compressed.

import express, { type RequestHandler } from 'express';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';

/** 413 above 16 kB or 30 fields, 415 for any other type. `request.body` is untrusted afterwards. */
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
