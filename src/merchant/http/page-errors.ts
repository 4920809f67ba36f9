// Last handler of the pages: an error as a page, by its HTTP status. The page says what to do, and shows
// no detail but the id of the request, by which support finds its log line.

import type { ErrorRequestHandler } from 'express';
import type { Context } from '../context';
import type { Locale } from '../locales/ko';
import { errorResponse } from './error-response';
import { addLogFields } from './request-log';
import type { Views } from './views';

/** Statuses that have a text of their own. */
type PageStatus = keyof Locale['errors'];

export function pageErrors({ logger }: Context, views: Views): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const { status, code, retryAfterSeconds } = errorResponse(error);
    if (status >= 500) logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    // A forged form, a card of another member, a post from another site: somebody may be trying something.
    if (status === 403) logger.warn({ request_id: request.id, event: 'page_refused', reason: code });
    if (response.headersSent) return next(error);
    addLogFields(response, { outcome: code });
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    // Also where a file was about to be sent.
    response.set('Cache-Control', 'no-store');
    const pageStatus = (status in LEADS_TO_FORM ? status : 500) as PageStatus;
    views.send(request, response, {
      status,
      template: 'error',
      title: ({ errors }) => errors[pageStatus].title,
      isError: true,
      path: '/cards',
      data: { error: pageStatus, toForm: LEADS_TO_FORM[pageStatus], requestId: request.id },
    });
  };
}

/** Whether the page leads on to an empty form; otherwise it leads to the list of the member's cards. */
const LEADS_TO_FORM: Record<PageStatus, boolean> = {
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
