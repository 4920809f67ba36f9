// Last handler of the pages: the table of `error-answer.ts` as a page. It says what to do and shows no detail.

import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../logger';
import type { Texts } from '../texts/ko';
import { errorAnswer } from './error-answer';
import { noteForLog } from './request-log';
import type { Views } from './views';

type PageStatus = keyof Texts['errors'];

export function pageErrors(views: Views, logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) logger.error({ err: error, requestId: request.id, event: 'request_failed' });
    // Forged forms, foreign keys and other sites: somebody may be trying something.
    if (answer.status === 403)
      logger.warn({ requestId: request.id, event: 'page_refused', reason: answer.code });
    if (response.headersSent) return next(error);
    noteForLog(response, { outcome: answer.code });
    if (answer.retryAfterSeconds !== undefined) response.set('Retry-After', String(answer.retryAfterSeconds));
    const status = (answer.status in TO_FORM ? answer.status : 500) as PageStatus;
    response.set('Cache-Control', 'no-store');
    views.send(request, response, {
      status: answer.status,
      template: 'error',
      title: ({ errors }) => errors[status].title,
      isError: true,
      path: '/cards',
      data: { error: status, toForm: TO_FORM[status] },
    });
  };
}

/** Whether the way on is an empty form; otherwise it is the member's list. */
const TO_FORM: Record<PageStatus, boolean> = {
  400: true,
  403: true,
  404: false,
  405: true,
  409: false,
  410: false,
  413: true,
  415: true,
  500: false,
  503: true,
};
