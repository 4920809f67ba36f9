// One visit of a page: what a handler needs to answer it. With it only the routes have to know express.

import type { Request, RequestHandler, Response } from 'express';
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

export type PageHandler = (context: Context, visit: Visit) => Promise<void>;

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
