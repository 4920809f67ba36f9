// GET the outcome of a registration whose answer was lost. The page reloads itself, and redirects to the card or the
// form once the poll of `billing-keys/recover-issuance.ts` has the outcome.

import type { BillingKeyIssuance } from '../../../generated/prisma/client';
import { replaceableKeys } from '../../core/billing-keys/billing-key-store';
import { findIssuances } from '../../core/billing-keys/issuance-store';
import { cardErrors } from '../../core/cards/errors';
import { getMemberKey, pathCustomerUid } from '../../core/cards/verify-form';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { refreshItself, type PageRequest } from '../../platform/http/page-request';
import { getReturnUrl, withCustomerUid, withReturnUrl } from '../../platform/http/return-url';
import { shopOf } from '../../platform/http/shop-files';
import { linkIn } from '../../platform/http/views';
import { CONSENT } from '../../shop/terms';
import type { Box } from './card-form';
import { sendForm } from './show-form';
import { en } from './texts.en';
import { ko } from './texts.ko';

export async function showOutcome(context: Context, asked: PageRequest): Promise<void> {
  const { request, response } = asked;
  const returnUrl = getReturnUrl(context.config, request.query['return_url']);
  const memberId = await shopOf(request).requireMember(request, response);
  if (memberId === null) return;
  const { customerUid, status } = await getMemberKey(context, String(pathCustomerUid(asked)), memberId);
  const [issuance] = await findIssuances(context, { customerUid }, 1);
  if (!issuance) throw new HttpError(cardErrors.no_such_card);
  switch (issuance.status) {
    case 'pending':
    case 'unknown':
      return sendPending(asked, { customerUid, returnUrl, status: 200 });
    case 'issued':
      if (returnUrl !== null && status === 'active')
        return response.redirect(303, withCustomerUid(returnUrl, customerUid));
      return response.redirect(303, linkIn(request, '/cards'));
    case 'needs_review':
      return response.redirect(303, linkIn(request, '/cards'));
    case 'declined': {
      const replaces = replaceableKeys.has(status) ? customerUid : null;
      const form = { memberId, replaces, returnUrl, ticked: consentsOf(issuance) };
      return sendForm(context, asked, { ...form, status: 400, notice: 'declined' });
    }
  }
}

/** The consents given with the declined card, if the texts have not changed. */
function consentsOf({ termsVersion, privacyVersion }: BillingKeyIssuance): Box[] {
  return [
    ...(termsVersion === CONSENT.termsVersion ? ['agree_terms' as const] : []),
    ...(privacyVersion === CONSENT.privacyVersion ? ['agree_privacy' as const] : []),
  ];
}

type Pending = { customerUid: string; returnUrl: string | null; status: 200 | 202 };

/** The waiting page. After a post it continues at the outcome's URL, which a reload also uses. */
export function sendPending(asked: PageRequest, { customerUid, returnUrl, status }: Pending): void {
  const { request, response, views } = asked;
  const { path, data } = refreshItself(asked, (attempt) =>
    withReturnUrl(`/cards/${customerUid}/outcome${attempt > 0 ? `?attempt=${attempt}` : ''}`, returnUrl),
  );
  views.send(request, response, {
    status,
    template: 'card-form/card-pending',
    texts: { ko, en },
    title: ({ pending: { title } }) => title,
    path,
    // The link back to the shop has no customer_uid, because its presence means that the card is registered.
    data: { returnUrl, ...data },
  });
}
