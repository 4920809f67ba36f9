// PATH_PREFIX: the path under which every route stands if this server shares its host with a shop. It is cut off a
// request before any route sees it. `linkIn` adds it to links and redirects, `ownCookie` to cookies, and `ownUrl` to
// the URLs that other programs get.

import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import { PROBES, SCHEME_AND_HOST } from './request-log';

/**
 * Cuts the prefix off: routes, log and metrics see the paths that they see without one. The first handler of a request.
 */
export function cutPathPrefix({ pathPrefix }: Pick<Config, 'pathPrefix'>): RequestHandler {
  return (request, response, next) => {
    if (pathPrefix === '') return next();
    const target = request.originalUrl.replace(SCHEME_AND_HOST, '');
    const rest = target.slice(pathPrefix.length);
    if (!target.startsWith(pathPrefix) || !/^([/?]|$)/.test(rest)) response.locals['outsidePrefix'] = true;
    else request.url = request.originalUrl = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}

/** Whether the path of the request lacks the prefix. */
export const isOutsidePrefix = ({ locals }: Response): boolean => locals['outsidePrefix'] === true;

/** 404 for a path without the prefix: it belongs to the shop. After the log and the metrics. */
export const refuseOutsidePrefix: RequestHandler = (request, response, next) => {
  if (isOutsidePrefix(response) && !PROBES.has(request.path)) throw new HttpError(platformErrors.not_found);
  next();
};

/**
 * The URL under which this request's sender reaches the routes, without a slash at the end. Outside production, where
 * PUBLIC_URL may be missing, it follows the Host header.
 */
export function ownUrl(
  { publicUrl, pathPrefix }: Pick<Config, 'publicUrl' | 'pathPrefix'>,
  { protocol, headers }: Pick<Request, 'protocol' | 'headers'>,
): string {
  return publicUrl ?? `${new URL(`${protocol}://${headers.host}`).origin}${pathPrefix}`;
}
