// A route of the JSON API: description, schemas and handler in one place. The router and /openapi.json are made from
// the same object, so every route that is served is also described.

import express, { type Request, type RequestHandler, type Router } from 'express';
import type { z } from 'zod';
import type { Caller, Context, Scope } from '../context';
import { HttpError, type ErrorDefinition } from '../errors';
import { platformErrors } from '../platform-errors';
import { callerOf, requireScope } from './api-key';
import { parseQuery, parseRequest } from './body-fields';
import { addLogFields, sentFrom, type LogFields, type SentFrom } from './log-fields';
import type { RouteDescription } from './route-description';

type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type ApiRequest<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> = {
  /** As received: the handler decides which identifiers it knows. */
  params: Record<ParamNames<Path>, string>;
  query: z.output<Query>;
  body: z.output<Body>;
  caller: Caller;
  /** The raw request, for a route that is about the connection. */
  incoming: Request;
  sent: SentFrom;
  /** Adds fields to the request's log line. */
  log: (fields: LogFields) => void;
};

export type ApiResponse = { status?: number; body: unknown };

export type ApiRoute = RouteDescription & {
  access: Scope;
  handle(context: Context, request: ApiRequest<string, z.ZodObject, z.ZodType>): Promise<ApiResponse>;
};

type Definition<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> = Pick<
  RouteDescription,
  'method' | 'summary' | 'description' | 'answers'
> & {
  /** The full path, such as "/api/orders/{merchant_uid}". */
  path: Path;
  /** The scope that the key of a caller needs. */
  scope: Scope;
  query?: Query;
  body?: Body;
  /** A valid body for the API description. A test posts it. */
  example?: NoInfer<z.input<Body>>;
  /** In addition to the errors common to all routes of its kind. */
  errors?: readonly ErrorDefinition[];
  /** Whether the payment service's refusals are passed on as ours. */
  asksService?: boolean;
  /** @throws HttpError with one of `errors` */
  handle(context: Context, request: ApiRequest<Path, Query, Body>): Promise<ApiResponse>;
};

export function apiRoute<Path extends string, Query extends z.ZodObject, Body extends z.ZodType>({
  scope,
  body,
  example,
  errors = [],
  asksService = false,
  ...route
}: Definition<Path, Query, Body>): ApiRoute {
  return {
    ...route,
    access: scope,
    errors: [
      ...COMMON_ERRORS,
      ...(body ? BODY_ERRORS : []),
      ...(route.query ? [platformErrors.invalid_request] : []),
      ...(route.path.includes('{') ? [platformErrors.malformed_path] : []),
      ...(asksService ? SERVICE_ERRORS : []),
      ...errors,
    ],
    ...(body && {
      body: { schema: body, contentTypes: ['application/json'], ...(example !== undefined && { example }) },
    }),
  };
}

const readJson = express.json({ limit: '64kb', inflate: false });

/** Without it, a form would be parsed as no body at all. An empty body needs no type. */
const takeJsonOnly: RequestHandler = (request, _response, next) => {
  const isEmpty = request.headers['content-length'] === '0';
  if (request.is('application/json') === false && !isEmpty)
    throw new HttpError(
      platformErrors.unsupported_type,
      'The body must be sent as Content-Type: application/json.',
    );
  next();
};

/**
 * All routes below `prefix`, which the router itself does not see. A body is read after the scope was checked.
 */
export function apiRouter(context: Context, prefix: string, routes: readonly ApiRoute[]): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  for (const { method, path, access, query, body, handle } of routes) {
    const pattern = path.slice(prefix.length).replace(/\{(\w+)\}/g, ':$1');
    router[method](
      pattern,
      requireScope(context, access),
      takeJsonOnly,
      readJson,
      async (request, response) => {
        const answer = await handle(context, {
          params: request.params,
          query: query ? parseQuery(query, request) : {},
          body: body ? parseRequest(body.schema, request.body) : undefined,
          caller: callerOf(response),
          incoming: request,
          sent: sentFrom(request),
          log: (fields) => addLogFields(response, fields),
        });
        response.status(answer.status ?? 200).json(answer.body);
      },
    );
  }
  return router;
}

/** Errors of every route that needs the key. */
const COMMON_ERRORS: readonly ErrorDefinition[] = [
  platformErrors.unauthorized,
  platformErrors.too_many_wrong_keys,
  platformErrors.scope_missing,
  platformErrors.value_refused,
  platformErrors.database_unavailable,
  platformErrors.internal_error,
];

/** Errors of a route with a body. */
const BODY_ERRORS: readonly ErrorDefinition[] = [
  platformErrors.invalid_request,
  platformErrors.invalid_json,
  platformErrors.request_aborted,
  platformErrors.request_size_invalid,
  platformErrors.entity_too_large,
  platformErrors.encoding_unsupported,
  platformErrors.charset_unsupported,
  platformErrors.unsupported_type,
];

/** Errors of a route that passes on the payment service's answers. */
const SERVICE_ERRORS: readonly ErrorDefinition[] = [
  platformErrors.service_refused,
  platformErrors.service_unauthorized,
  platformErrors.service_bad_answer,
  platformErrors.service_unavailable,
];
