// Last handler of the pages: an error as a page, by its cause. The page says what to do, and shows no detail but the id of
// the request, by which support finds its log line.

import type { ErrorRequestHandler, Request } from 'express';
import type { Context } from '../context';
import type { PageErrorCode } from '../page-error-codes';
import { errorResponse } from './error-response';
import type { ErrorTexts } from './feature-type';
import { addLogFields } from './request-log';
import type { Texts, Views } from './views';

export function pageErrors(
  { logger }: Context,
  views: Views,
  texts: Texts<{ errors: ErrorTexts }>,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const { status, code, retryAfterSeconds } = errorResponse(error);
    if (status >= 500) logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    // A forged form, a card of another member, a post from another site: somebody may be trying something.
    if (status === 403) logger.warn({ event: 'page_refused', ...refusalOf(request, code) });
    if (response.headersSent) return next(error);
    addLogFields(response, { outcome: code });
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    // Also where a file was about to be sent.
    response.set('Cache-Control', 'no-store');
    const shown = pageErrorOf(code, status);
    views.send(request, response, {
      status,
      template: 'error',
      texts,
      title: ({ errors }) => errors[shown]?.title ?? shown,
      isError: true,
      path: '/cards',
      data: { error: shown, toForm: LEADS_TO_FORM[shown], requestId: request.id },
    });
  };
}

/** From where, and why; the line of the request has the rest. */
export function refusalOf({ id, source }: Request, reason: string): object {
  return { request_id: id, reason, source: source.client };
}

/** An error of the payment service, or one that no page expects, is shown as what is true of all of its kind. */
function pageErrorOf(code: string, status: number): PageErrorCode {
  if (code in LEADS_TO_FORM) return code as PageErrorCode;
  if (code.startsWith('service_')) return 'service_unavailable';
  return status < 500 ? 'entity_parse_failed' : 'internal_error';
}

/** Whether the page leads on to an empty form; otherwise it leads to the list of the member's cards. */
const LEADS_TO_FORM: Record<PageErrorCode, boolean> = {
  foreign_host: false,
  return_url_refused: false,
  cross_site: true,
  forged_form: true,
  card_of_another_member: false,
  no_such_card: false,
  method_not_allowed: false,
  secret_in_query: true,
  form_in_use: false,
  key_in_use: false,
  precondition_failed: false,
  parameters_too_many: true,
  unsupported_type: true,
  cannot_cancel_now: false,
  not_found: false,
  malformed_path: false,
  entity_parse_failed: true,
  entity_too_large: true,
  encoding_unsupported: true,
  charset_unsupported: true,
  request_aborted: true,
  request_size_invalid: true,
  internal_error: false,
  service_unavailable: false,
  database_unavailable: false,
};
