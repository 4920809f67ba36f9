// A card is removed in two steps: the page says what will happen, and its form does it.

import type { Context } from '../context';
import { addLogFields } from '../http/request-log';
import { linkIn } from '../http/views';
import type { Visit } from '../http/visit';
import { requireMember } from '../shop/current-member';
import { issueFormToken } from './form-token';
import { getMemberKey, getReplaceableKey } from './get-member-key';
import { pathCustomerUid, verifyPostedForm } from './posted-form';
import { removeCard } from './remove-card';
import { sendCards } from './show-cards';

export async function showRemoval(context: Context, visit: Visit): Promise<void> {
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId !== null)
    await sendRemoval(context, visit, { memberId, customerUid: String(pathCustomerUid(visit)) });
}

export async function submitRemoval(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const form = await verifyPostedForm(context, visit, 'remove');
  if (form === null) return;
  if (form.expired) return sendRemoval(context, visit, { ...form, isExpired: true });
  const { customerUid, memberId } = form;
  const outcome = await removeCard(context, await getMemberKey(context, customerUid, memberId));
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  switch (outcome.kind) {
    case 'removed':
    case 'unfinished':
      // The list shows one that is on its way; there is nothing left for the member to do.
      return response.redirect(303, linkIn(request, '/cards'));
    case 'in_use':
      return sendCards(context, visit, { memberId, status: 409, failed: { customerUid, reason: 'in_use' } });
    case 'cannot_now':
      response.set('Retry-After', '30');
      return sendCards(context, visit, {
        memberId,
        status: 503,
        failed: { customerUid, reason: 'cannot_now' },
      });
  }
}

type RemovalPage = {
  memberId: string;
  customerUid: string;
  /** The form before was too old: this is a new one. */
  isExpired?: boolean;
};

/** @throws HttpError as `getReplaceableKey`: what can be replaced can be removed */
async function sendRemoval(context: Context, visit: Visit, page: RemovalPage): Promise<void> {
  const { memberId, customerUid, isExpired = false } = page;
  const { cardName, cardNumber } = await getReplaceableKey(context, customerUid, memberId);
  const subject = { customerUid, memberId, purpose: 'remove', returnUrl: null } as const;
  visit.views.send(visit.request, visit.response, {
    status: isExpired ? 410 : 200,
    template: 'card-removal',
    title: ({ removal }) => removal.title,
    isError: isExpired,
    path: `/cards/${customerUid}/remove`,
    data: {
      customerUid,
      company: cardName,
      number: cardNumber,
      isExpired,
      formToken: issueFormToken(context.config.formSecrets, subject, context.clock.now()),
    },
  });
}
