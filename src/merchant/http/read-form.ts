// Bodies of posted forms: urlencoded as a page sends them, or JSON under the same rules. Small, and never compressed.

import express, { type RequestHandler } from 'express';
import { RequestFault } from '../errors';

/** 413 above 16 kB, 415 for any other type; what it leaves in `request.body` is untrusted. */
export const readForm: RequestHandler[] = [
  express.urlencoded({ extended: false, limit: '16kb', parameterLimit: 30, inflate: false }),
  express.json({ limit: '16kb', inflate: false }),
  (request, _response, next) => {
    if (request.body === undefined)
      throw new RequestFault(415, 'unsupported_type', 'Send the form as application/x-www-form-urlencoded.');
    next();
  },
];

/** What is in an address ends up in logs and histories of others: 405 for a request that has such a field in its query. */
export function refuseInQuery(fields: readonly string[]): RequestHandler {
  return (request, response, next) => {
    if (fields.some((field) => field in request.query)) {
      response.set('Allow', 'POST');
      throw new RequestFault(405, 'secret_in_query', 'Send this in the body of a POST.');
    }
    next();
  };
}
