// A card is removed: its form stands on the list, behind a press that shows what will happen.

import type { Context } from '../../platform/context';
import { addLogFields } from '../../platform/http/request-log';
import { linkIn } from '../../platform/http/views';
import type { Visit } from '../../platform/http/visit';
import { getMemberKey } from './get-member-key';
import { verifyPostedForm } from './posted-form';
import { removeCard } from './remove-card';
import { sendCards } from './show-cards';

export async function submitRemoval(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const form = await verifyPostedForm(context, visit, 'remove');
  if (form === null) return;
  const { customerUid, memberId } = form;
  const key = await getMemberKey(context, customerUid, memberId);
  const outcome = form.expired ? { kind: 'expired' as const } : await removeCard(context, key);
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  const failed = (status: number, reason: 'cannot_now' | 'expired' | 'in_use') =>
    sendCards(context, visit, { memberId, status, failed: { customerUid, reason } });
  switch (outcome.kind) {
    case 'removed':
    case 'unfinished':
      // The list shows one that is on its way; there is nothing left for the member to do.
      return response.redirect(303, linkIn(request, '/cards'));
    case 'expired':
      return failed(410, outcome.kind);
    case 'in_use':
      return failed(409, outcome.kind);
    case 'cannot_now':
      response.set('Retry-After', '30');
      return failed(503, outcome.kind);
  }
}
