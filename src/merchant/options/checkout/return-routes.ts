// GET /orders/{merchant_uid}/return: where the payment window sends the browser back (§6.5.1). Of the query, only the
// ids are looked up, and an allowed return_url becomes a link. Nothing else is trusted: the service says whether the
// payment succeeded.

import { Router, type Request } from 'express';
import { z } from 'zod';
import type { ReportedIds } from '../../core/payments/fetch-payment';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import { originCheck } from '../../platform/http/origin-check';
import { parseReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { linkIn, type Views } from '../../platform/http/views';
import {
  attemptOf,
  LAST_ATTEMPT,
  methodNotAllowed,
  pagesOf,
  refreshAfter,
  type Visit,
} from '../../platform/http/visit';
import { findReturn, MISSING, NOT_KNOWN_YET, type Return } from './find-return';
import { networkOfVisitor } from './pace-looks';
import { en } from './texts.en';
import { ko } from './texts.ko';

const RETURN_PATH = '/orders/:merchant_uid/return';

export function returnRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const checkOrigin = originCheck(context.config);
  router.get(RETURN_PATH, checkOrigin, pagesOf(context, views)(showReturn));
  router.all(RETURN_PATH, checkOrigin, methodNotAllowed('GET, HEAD'));
  return router;
}

async function showReturn(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const reported = parseReturn(context, request);
  if (!reported) return sendReturn(context, visit, { reported, result: MISSING, status: 404 });
  try {
    const network = networkOfVisitor(request.source.client);
    const result = await findReturn(context, { ...reported, network });
    sendReturn(context, visit, { reported, result, status: 200 });
  } catch (error) {
    // The general error page says that nothing was done, which may be false for a payment.
    if (!(error instanceof DatabaseError)) throw error;
    context.logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    response.set('Retry-After', '5');
    sendReturn(context, visit, { reported, result: NOT_KNOWN_YET, status: 503 });
  }
}

function sendReturn(
  context: Context,
  { request, response, views }: Visit,
  { reported, result, status }: { reported: ReportedIds | null; result: Return; status: number },
): void {
  const { svcUid = null, merchantUid = null } = reported ?? {};
  addLogFields(response, { svc_uid: svcUid, merchant_uid: merchantUid, outcome: result.state });
  const attempt = attemptOf(request);
  const returnUrl = returnUrlOf(context, request);
  const addressOf = (next: number) =>
    withReturnUrl(reported ? toAddress(context, reported, next) : request.path, returnUrl);
  const seconds = result.state === 'not_known_yet' ? refreshAfter(attempt) : null;
  // A header instead of a `meta` element, because all pages share the head of the layout. A link on the page stops it.
  if (seconds !== null) response.set('Refresh', `${seconds}; url=${linkIn(request, addressOf(attempt + 1))}`);
  views.send(request, response, {
    status,
    template: 'checkout/return',
    texts: { ko, en },
    title: ({ checkout }) => checkout.states[result.state].title,
    isError: result.state === 'missing',
    path: addressOf(attempt),
    data: {
      ...result,
      refreshSeconds: seconds,
      again: addressOf(0),
      stop: addressOf(LAST_ATTEMPT),
      returnUrl,
      shopPage: SHOP_PAGE,
    },
  });
}

/** The default target of the page's link. Replace it with a page of your shop. */
const SHOP_PAGE = '/cards';

const idsSchema = z.object({
  svc_uid: z.string().refine(isSvcUid),
  merchant_uid: z.string().refine(isMerchantUid).optional(),
});

/** The ids in the query, or null if one is missing, malformed, or differs from the path. */
function parseReturn({ service }: Context, { params, query }: Request): ReportedIds | null {
  const ids = idsSchema.safeParse(service.fromWire(query)).data;
  const merchantUid = params['merchant_uid'];
  if (!ids || !isMerchantUid(merchantUid)) return null;
  return (ids.merchant_uid ?? merchantUid) === merchantUid ? { svcUid: ids.svc_uid, merchantUid } : null;
}

/**
 * Null if the query has no return_url or one that is not allowed. The latter is no error: the customer may have paid,
 * and this page shows the result even if the link is wrong. It then shows the default link.
 */
function returnUrlOf({ config, logger }: Context, request: Request): string | null {
  const named: unknown = request.query['return_url'];
  const returnUrl = parseReturnUrl(config, named);
  if (named !== undefined && returnUrl === null)
    logger.info({ request_id: request.id, event: 'return_url_ignored' });
  return returnUrl;
}

/** The URL of this page, keeping only the ids of what the service has added. */
function toAddress({ service }: Context, { svcUid, merchantUid }: ReportedIds, attempt: number): string {
  const ids = service.toWire({ svc_uid: svcUid, merchant_uid: merchantUid });
  const query = new URLSearchParams({ ...ids, ...(attempt > 0 && { attempt: String(attempt) }) });
  return `/orders/${merchantUid}/return?${query.toString()}`;
}
