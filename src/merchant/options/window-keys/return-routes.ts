// GET the page to which the payment window returns (§6.5.1). Of the query only the ids are looked up: the service says
// whether the key was issued. It needs no session, because the shop may be on another host.

import type { Router } from 'express';
import { findKey } from '../../core/billing-keys/billing-key-store';
import { cardErrors } from '../../core/cards/errors';
import { fits, syncPayment, type SyncResult } from '../../core/payments/sync-payment';
import { isCustomerUid, isSvcUid } from '../../payment-service/identifiers';
import { within } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import {
  refreshItself,
  returnedFields,
  returnPage,
  type PageRequest,
} from '../../platform/http/page-request';
import { withCustomerUid } from '../../platform/http/return-url';
import { linkIn, type Views } from '../../platform/http/views';
import { bucketOf, countTry, type AttemptLimit } from '../../platform/limit-store';
import { findRequest, type StoredRequest } from './request-store';
import { RETURN_PATH, returnPath } from './return-path';
import { en } from './texts.en';
import { ko, type WindowKeyTexts } from './texts.ko';

export const returnRoutes = (context: Context, views: Views): Router =>
  returnPage(context, views, RETURN_PATH, { show: showReturn, leadToPage });

/** Leads a post on to the page, with the id alone. */
async function leadToPage(context: Context, { request, response }: PageRequest): Promise<void> {
  const wanted = await readRequest(context, request.params['customer_uid']);
  const svcUid = svcUidIn(context, returnedFields(request));
  response.redirect(303, linkIn(request, toAddress(context, wanted, svcUid, 0)));
}

/** @throws HttpError 404 */
async function readRequest(context: Context, customerUid: unknown): Promise<StoredRequest> {
  const request = isCustomerUid(customerUid) ? await findRequest(context, customerUid) : null;
  if (request === null) throw new HttpError(cardErrors.no_such_card);
  return request;
}

/** The longest wait before the page is shown. The sync continues, and the next refresh shows its result. */
const ANSWER_WITHIN_MS = 6_000;
/** Anybody who has a request can invent payments for it. Our choice: more than a page that refreshes itself needs. */
const LOOKS: AttemptLimit = { attempts: 20, seconds: 600 };

type State = keyof WindowKeyTexts['windowKey']['states'];

async function showReturn(context: Context, asked: PageRequest): Promise<void> {
  const { request, response, views } = asked;
  const wanted = await readRequest(context, request.params['customer_uid']);
  const svcUid = svcUidIn(context, request.query);
  const state = await findState(context, wanted, svcUid);
  addLogFields(response, {
    customer_uid: wanted.customerUid,
    svc_uid: svcUid,
    outcome: state ?? 'registered',
  });
  if (state === null)
    return response.redirect(
      303,
      wanted.returnUrl === null
        ? linkIn(request, '/cards')
        : withCustomerUid(wanted.returnUrl, wanted.customerUid),
    );
  const addressOf = (attempt: number) => toAddress(context, wanted, svcUid, attempt);
  const { path, data } = refreshItself(asked, addressOf, state === 'checking');
  views.send(request, response, {
    status: 200,
    template: 'window-keys/return',
    texts: { ko, en },
    title: ({ windowKey }) => windowKey.states[state].title,
    path,
    // The returnUrl has no customer_uid, because its presence means that the key is stored.
    data: { state, returnUrl: wanted.returnUrl, ...data },
  });
}

/** Null once the key is stored. */
async function findState(
  context: Context,
  { customerUid, merchantUid }: StoredRequest,
  svcUid: string | null,
): Promise<State | null> {
  if ((await findKey(context, customerUid)) !== null) return null;
  if (svcUid === null) return 'not_issued';
  const full = await countTry(context, [bucketOf(context, 'look:window-key', LOOKS, customerUid)]);
  if (full !== null) return 'checking';
  const reported = { svcUid, merchantUid, isVisitors: true };
  const result = await within(ANSWER_WITHIN_MS, syncPayment(context, reported));
  if ((await findKey(context, customerUid)) !== null) return null;
  return result === null ? 'checking' : stateOf(result);
}

function stateOf({ outcome, status }: SyncResult): State {
  if (outcome === 'unknown_billing_key') return 'left_to_person';
  if (!fits(outcome)) return 'checking';
  return status === 'failed' ? 'not_issued' : 'checking';
}

/** By the name that the account uses. Null if there is none that can be used, as when the window was closed. */
function svcUidIn({ service }: Context, query: unknown): string | null {
  const { svc_uid: svcUid } = service.fromWire(query) as { svc_uid?: unknown };
  return isSvcUid(svcUid) ? svcUid : null;
}

function toAddress(
  { service }: Context,
  { customerUid }: StoredRequest,
  svcUid: string | null,
  attempt: number,
): string {
  const query = new URLSearchParams(service.toWire(svcUid === null ? {} : { svc_uid: svcUid }));
  if (attempt > 0) query.append('attempt', String(attempt));
  const path = returnPath(customerUid);
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
