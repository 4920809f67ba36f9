// Last handler of the pages: an error as a page, by its cause. The page says what to do, and shows no detail but the id of
// the request, by which support finds its log line.

import type { ErrorRequestHandler, Request } from 'express';
import type { Context } from '../context';
import { platformErrors } from '../platform-errors';
import { errorResponse, type ErrorResponse } from './error-response';
import type { ErrorTexts } from './feature-type';
import { addLogFields } from './request-log';
import type { Texts, Views } from './views';

export function pageErrors(
  { logger }: Context,
  views: Views,
  texts: Texts<{ errors: ErrorTexts }>,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const answer = errorResponse(error);
    const { status, code, retryAfterSeconds } = answer;
    if (status >= 500) logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    // A forged form, a card of another member, a post from another site: somebody may be trying something.
    if (status === 403) logger.warn({ event: 'page_refused', ...refusalOf(request, code) });
    if (response.headersSent) return next(error);
    addLogFields(response, { outcome: code });
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    // Also where a file was about to be sent.
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

/** From where, and why; the line of the request has the rest. */
export function refusalOf({ id, source }: Request, reason: string): object {
  return { request_id: id, reason, source: source.client };
}

/** An error of the payment service, or one that no page expects, is shown as what is true of all of its kind. */
function shownFor(answer: ErrorResponse): Pick<ErrorResponse, 'code' | 'page'> {
  if (answer.page) return answer;
  if (answer.code.startsWith('service_')) return platformErrors.service_unavailable;
  return answer.status < 500 ? platformErrors.entity_parse_failed : platformErrors.internal_error;
}
