// GET /orders/{merchant_uid}/return: where the payment window sends the browser back (§6.5.1). Of the query, only the
// ids are looked up, and an allowed return_url becomes a link. Nothing else is trusted: the service says whether the
// payment succeeded.

import type { Request, Router } from 'express';
import type { ReportedIds } from '../../core/payments/fetch-payment';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import { networkOf } from '../../platform/address-list';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import {
  refreshItself,
  returnedFields,
  returnPage,
  type PageRequest,
} from '../../platform/http/page-request';
import { differentValues, parseReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { linkIn, type Views } from '../../platform/http/views';
import { findReturn, MISSING, NOT_KNOWN_YET, type Return } from './find-return';
import { en } from './texts.en';
import { ko } from './texts.ko';

/** A link with a slash at its end works as well. */
const RETURN_PATHS = ['/orders/:merchant_uid/return', '/orders/:merchant_uid/return/'];

export const returnRoutes = (context: Context, views: Views): Router =>
  returnPage(context, views, RETURN_PATHS, { show: showReturn, leadToPage });

/** Leads a post on to the page, with the ids alone. */
function leadToPage(context: Context, asked: PageRequest): Promise<void> {
  const { request, response } = asked;
  const [first, ...others] = parseReturn(context, request, returnedFields(request));
  if (!first) {
    sendReturn(context, asked, { reported: null, result: MISSING, status: 404 });
    return Promise.resolve();
  }
  const svcUids = [first, ...others].map(({ svcUid }) => svcUid);
  const address = withReturnUrl(
    toAddress(context, first.merchantUid, svcUids, 0),
    returnUrlOf(context, request),
  );
  response.redirect(303, linkIn(request, address));
  return Promise.resolve();
}

async function showReturn(context: Context, asked: PageRequest): Promise<void> {
  const { request, response } = asked;
  const [reported = null, ...others] = parseReturn(context, request, request.query);
  if (!reported) return sendReturn(context, asked, { reported, result: MISSING, status: 404 });
  try {
    const network = networkOf(request.source.client);
    let shown = { reported, result: await findReturn(context, { ...reported, network }) };
    for (const other of others) {
      if (shown.result.receipt !== null) break;
      const result = await findReturn(context, { ...other, network });
      if (result.receipt !== null || shown.result.purchase === null) shown = { reported: other, result };
    }
    sendReturn(context, asked, { ...shown, status: 200 });
  } catch (error) {
    // The general error page says that nothing was done, which may be false for a payment.
    if (!(error instanceof DatabaseError)) throw error;
    context.logger.error({ err: error, request_id: request.id, event: 'request_failed' });
    response.set('Retry-After', '5');
    sendReturn(context, asked, { reported, result: NOT_KNOWN_YET, status: 503 });
  }
}

function sendReturn(
  context: Context,
  asked: PageRequest,
  { reported, result, status }: { reported: ReportedIds | null; result: Return; status: number },
): void {
  const { request, response, views } = asked;
  const { svcUid = null, merchantUid = null } = reported ?? {};
  addLogFields(response, { svc_uid: svcUid, merchant_uid: merchantUid, outcome: result.state });
  const returnUrl = returnUrlOf(context, request);
  const addressOf = (attempt: number) =>
    withReturnUrl(
      reported ? toAddress(context, reported.merchantUid, [reported.svcUid], attempt) : request.path,
      returnUrl,
    );
  const { path, data } = refreshItself(asked, addressOf, result.state === 'not_known_yet');
  views.send(request, response, {
    status,
    template: 'checkout/return',
    texts: { ko, en },
    title: ({ checkout }) => checkout.states[result.state].title,
    isError: result.state === 'missing',
    // The script that replaces the address of a post must not repeat what somebody has typed into it.
    path: reported || request.method !== 'POST' ? path : SHOP_PAGE,
    data: { ...result, ...data, returnUrl, shopPage: SHOP_PAGE },
  });
}

/** The default target of the page's link. Replace it with a page of your shop. */
const SHOP_PAGE = '/cards';

/** An address with more payments than this was not built by a payment window. */
const MOST_PAYMENTS = 3;

/**
 * The payments that an address names, by the names of either generation. Repetitions count once, and what others have
 * added is ignored. None if no id is usable, or an order differs from the path.
 */
function parseReturn({ service }: Context, { params }: Request, fields: unknown): ReportedIds[] {
  const ids = service.fromWire(fields) as Record<string, unknown>;
  const valuesOf = (...names: string[]) => [...new Set(names.flatMap((name) => differentValues(ids[name])))];
  const merchantUid = params['merchant_uid'];
  const orders = valuesOf('merchant_uid', 'payment_id').filter((value) => value !== undefined);
  const payments = valuesOf('svc_uid', 'tx_id').filter(isSvcUid);
  const isPaths = isMerchantUid(merchantUid) && orders.every((value) => value === merchantUid);
  if (!isPaths || payments.length > MOST_PAYMENTS) return [];
  return payments.map((svcUid) => ({ svcUid, merchantUid }));
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
function toAddress({ service }: Context, merchantUid: string, svcUids: string[], attempt: number): string {
  const query = new URLSearchParams();
  for (const svcUid of svcUids)
    for (const [name, value] of Object.entries(service.toWire({ svc_uid: svcUid }) as object))
      query.append(name, String(value));
  query.append('merchant_uid', merchantUid);
  if (attempt > 0) query.append('attempt', String(attempt));
  return `/orders/${merchantUid}/return?${query.toString()}`;
}
