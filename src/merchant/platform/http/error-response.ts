// Maps every error to an HTTP answer, for the JSON routes, the pages and the webhook. The text of a foreign error is
// never sent.

import { EtaError } from 'eta';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../context';
import {
  DatabaseError,
  HttpError,
  RefusedError,
  type ErrorDefinition,
  type ErrorPage,
  type Errors,
} from '../errors';
import { FieldError, platformErrors } from '../platform-errors';
import type { ErrorTexts } from './feature-type';
import { addLogFields } from './log-fields';
import { isOurHost, OriginError } from './origin-check';
import { ownUrl } from './path-prefix';
import type { Texts, Views } from './views';

type ErrorResponse = {
  status: number;
  code: string;
  message: string;
  /** The field that the request has to correct. */
  param?: string;
  retryAfterSeconds?: number;
  /** Absent if the error has no page of its own. */
  page?: ErrorPage;
};

/** The answer for any thrown value. */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof HttpError) {
    const param = error instanceof FieldError ? error.param : null;
    return {
      ...responseOf(error.definition, error.message, error.retryAfterSeconds),
      ...(param !== null && { param }),
    };
  }
  if (error instanceof DatabaseError)
    return responseOf(
      error.refusesValue ? platformErrors.value_refused : platformErrors.database_unavailable,
    );
  if (error instanceof ServiceError) return serviceErrorResponse(error);
  return bodyParserResponse(error) ?? responseOf(platformErrors.internal_error);
}

function responseOf(
  { code, status, message: text, page, ...definition }: ErrorDefinition,
  message?: string | null,
  retryAfterSeconds = definition.retryAfterSeconds,
): ErrorResponse {
  return {
    status,
    code,
    message: message ?? text,
    ...(retryAfterSeconds && { retryAfterSeconds }),
    ...(page && { page }),
  };
}

/**
 * The service's 400 and 404 are passed on with its message; a missing or invalid answer becomes a 503 or 502. Its 401
 * becomes a 502 too: it is about our credentials at the service, not about the caller's key.
 */
function serviceErrorResponse({ facts }: ServiceError): ErrorResponse {
  const { kind, serviceMessage, retryAfterSeconds } = facts;
  switch (kind) {
    case 'refused':
      return errorResponse(new RefusedError(platformErrors.service_refused, serviceMessage));
    case 'not_found':
      return errorResponse(new RefusedError(platformErrors.service_not_found, serviceMessage));
    case 'unauthorized':
      return responseOf(platformErrors.service_unauthorized, serviceMessage);
    case 'rate_limited':
    case 'unreachable':
    case 'no_answer':
    case 'server_error':
      return {
        ...responseOf(platformErrors.service_unavailable),
        ...(retryAfterSeconds && { retryAfterSeconds }),
      };
    case 'bad_answer':
      return responseOf(platformErrors.service_bad_answer);
  }
}

/**
 * body-parser's errors hold the raw body, so only their status and type are read. Our codes are its types: for
 * "entity.too.large" the code is `entity_too_large`.
 */
function bodyParserResponse(error: unknown): ErrorResponse | null {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (type === 'entity.parse.failed') return responseOf(platformErrors.invalid_json);
  const ofBody = (platformErrors as Errors)[String(type).replaceAll('.', '_')];
  if (ofBody) return responseOf(ofBody);
  // The file does not match the request's condition. `express.static` passes no other error on (app.ts).
  if (status === 412) return responseOf(platformErrors.precondition_failed);
  // For a path that cannot be percent-decoded, Express throws a bare URIError with status 400.
  return status === 400 ? responseOf(platformErrors.malformed_path) : null;
}

/**
 * What every answer to an error has: the cause in the log, its code in the line of the request, and Retry-After.
 * @param field of the code, in that line
 */
export function startErrorResponse(
  { logger }: Pick<Context, 'logger'>,
  error: unknown,
  { request, response }: { request: Request; response: Response },
  field: 'outcome' | 'error_code' = 'outcome',
): ErrorResponse {
  const answer = errorResponse(error);
  const { status, code, retryAfterSeconds } = answer;
  // The cause of a refused value may be the request, or the rules of the database.
  if (status >= 500 || error instanceof DatabaseError)
    logger.error({ err: error, request_id: request.id, event: 'request_failed' });
  if (response.headersSent) return answer;
  addLogFields(response, { [field]: code });
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  return answer;
}

/** Last handler of the JSON routes: `{ "error": { "code", "message", "param"?, "doc_url"? } }`. */
export function jsonErrors({ logger, config, features }: Context): ErrorRequestHandler {
  const docs = features.find(({ errorDocs }) => errorDocs !== undefined)?.errorDocs;
  return (error: unknown, request, response, next) => {
    const answer = startErrorResponse({ logger }, error, { request, response }, 'error_code');
    const { status, code, message, param } = answer;
    if (response.headersSent) return next(error);
    if (status === 401) response.set('WWW-Authenticate', 'Bearer');
    // A foreign Host is not repeated.
    const origin = isOurHost(request, config)
      ? ownUrl(config, request)
      : (config.publicUrl ?? config.pathPrefix);
    const link = docs && { doc_url: `${origin}${docs}${code}` };
    response.status(status).json({ error: { code, message, param, ...link } });
  };
}

/**
 * Last handler of the pages: shows an error as a page, by its cause. The page says what to do. Its only detail is the
 * request id, by which support finds the log line.
 */
export function pageErrors(
  { config, logger }: Context,
  views: Views,
  texts: Texts<{ errors: ErrorTexts }>,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (!config.production && error instanceof EtaError)
      return showTemplateError(logger, error, request, response);
    const answer = startErrorResponse({ logger }, error, { request, response });
    const { status, code } = answer;
    // A forged form, a card of another member, or a post from another site: possibly an attack. A foreign host or origin
    // may also be our own name, as a proxy writes it.
    const refused = error instanceof OriginError ? error.refused : null;
    if (status === 403 || refused)
      logger.warn({ event: 'page_refused', ...refusalOf(request, code), ...refused });
    if (response.headersSent) return next(error);
    // Also overrides the header of a file that was about to be sent.
    response.set('Cache-Control', 'no-store');
    const shown = shownFor(answer);
    views.send(request, response, {
      status,
      template: 'error',
      texts,
      title: ({ errors }) => errors[shown.code]?.title ?? shown.code,
      isError: true,
      path: '/cards',
      data: { error: shown.code, toForm: shown.page?.toForm, requestId: request.id },
    });
  };
}

/** For whoever changes a template: file, line and cause, in the log and in the browser. Never in production. */
function showTemplateError(
  logger: Context['logger'],
  { message }: EtaError,
  request: Request,
  response: Response,
): void {
  logger.error({ request_id: request.id, event: 'request_failed', template: message });
  if (response.headersSent) response.destroy();
  else response.set('Cache-Control', 'no-store').status(500).type('text').send(message);
}

/**
 * The very last handler: for an error while an error was shown, such as a template that is gone. Needs no template, and
 * shows no stack in any mode, as Express would.
 */
export function lastErrors({ logger }: Pick<Context, 'logger'>): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    if (response.headersSent) return next(error);
    response.set('Cache-Control', 'no-store').status(500).type('html').send(LAST_PAGE(request.id));
  };
}

const LAST_PAGE = (requestId: string) => `<!doctype html>
<html lang="ko">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>오류: 문제가 생겼어요</title>
<h1>문제가 생겼어요</h1>
<p>저희 쪽 오류예요. 잠시 후 다시 시도해 주세요.</p>
<p lang="en">Something went wrong. This is our error. Please try again in a moment.</p>
<p>문의 번호 · <span lang="en">Request ID</span>: <code>${requestId}</code></p>
</html>
`;

/** The source and the reason. The request's own log line has the rest. */
export function refusalOf({ id, source }: Request, reason: string): object {
  return { request_id: id, reason, source: source.client };
}

/** A payment service error, or an error without a page of its own, is shown as the general error of its kind. */
function shownFor(answer: ErrorResponse): Pick<ErrorResponse, 'code' | 'page'> {
  if (answer.page) return answer;
  if (answer.code.startsWith('service_')) return platformErrors.service_unavailable;
  return answer.status < 500 ? platformErrors.invalid_json : platformErrors.internal_error;
}
