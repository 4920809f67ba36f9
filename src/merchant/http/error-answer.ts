// One table from our errors to HTTP answers. Nothing of a foreign error's text leaves the process.

import type { ErrorRequestHandler } from 'express';
import { DatabaseFault, RequestFault, ServiceFault } from '../errors';
import type { Logger } from '../logger';

export type ErrorAnswer = { status: number; code: string; message: string; retryAfterSeconds?: number };

/** The answer for any thrown value. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof RequestFault)
    return { status: error.status, code: error.code, message: error.message };
  if (error instanceof DatabaseFault) {
    return {
      status: 503,
      code: 'database_unavailable',
      message: 'Try again in a moment.',
      retryAfterSeconds: 5,
    };
  }
  if (error instanceof ServiceFault) return serviceAnswer(error);
  return bodyParserAnswer(error) ?? { status: 500, code: 'internal_error', message: 'Something went wrong.' };
}

/** The service's own 400, 401 and 404 become ours with its message; what it did not answer is a 502 or 503. */
function serviceAnswer({ facts }: ServiceFault): ErrorAnswer {
  const message = facts.serviceMessage ?? 'The payment service gave no reason.';
  switch (facts.kind) {
    case 'refused':
      return { status: 400, code: 'service_refused', message };
    case 'not_found':
      return { status: 404, code: 'service_not_found', message };
    case 'unauthorized':
      return {
        status: 401,
        code: 'service_unauthorized',
        message: facts.serviceMessage ?? 'The payment service refused our credentials.',
      };
    case 'rate_limited':
    case 'unreachable':
    case 'no_answer':
    case 'server_error':
      return {
        status: 503,
        code: 'service_unavailable',
        message: 'The payment service does not answer now.',
        retryAfterSeconds: facts.retryAfterSeconds ?? 10,
      };
    case 'bad_answer':
      return { status: 502, code: 'service_bad_answer', message: 'The payment service answered nonsense.' };
  }
}

/** body-parser's errors hold the raw body; only their status and type are read. */
function bodyParserAnswer(error: unknown): ErrorAnswer | null {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof type !== 'string' || typeof status !== 'number' || status < 400 || status > 499) {
    // Express refuses a path that cannot be percent-decoded with a bare URIError of status 400.
    return status === 400
      ? { status: 400, code: 'malformed_path', message: 'The path cannot be read.' }
      : null;
  }
  return { status, code: type.replaceAll('.', '_'), message: 'The body cannot be read.' };
}

/** Last handler of the JSON routes: `{ "error": { "code", "message" } }`. */
export function jsonErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) logger.error({ err: error, requestId: request.id, event: 'request_failed' });
    if (response.headersSent) return next(error);
    if (answer.retryAfterSeconds !== undefined) response.set('Retry-After', String(answer.retryAfterSeconds));
    response.status(answer.status).json({ error: { code: answer.code, message: answer.message } });
  };
}
