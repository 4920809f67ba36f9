// A form that a member's browser posts: whose it is, before anything else of it is read.

import type { Context } from '../../platform/context';
import { addLogFields } from '../../platform/http/request-log';
import { currentMember } from '../../platform/http/shop-files';
import type { Visit } from '../../platform/http/visit';
import type { FormPurpose } from './form-token';
import { signedOutPage } from './signed-out-page';
import { verifyForm, type VerifiedForm } from './verify-form';

/**
 * Null means that a stranger posted it and has been answered. A post asks `currentMember` alone: cookies that are
 * SameSite=Lax are missing in a post that another site caused, and an answer that made a new member of its sender, or
 * sent it through a sign-in, would replace the cookie of the member who sits there. The page leads to the form, where
 * `requireMember` decides.
 * @throws HttpError as `verifyForm`
 */
export async function verifyPostedForm(
  context: Context,
  visit: Visit,
  purpose: FormPurpose,
): Promise<VerifiedForm | null> {
  const { request, response, views } = visit;
  const memberId = await currentMember(request);
  const posted = { pathCustomerUid: pathCustomerUid(visit), purpose, body: request.body as unknown };
  if (memberId !== null) return verifyForm(context, { memberId, ...posted });
  addLogFields(response, { outcome: 'signed_out' });
  views.send(request, response, signedOutPage(context, posted));
  return null;
}

/** Undefined where the path names no key. */
export function pathCustomerUid({ request }: Visit): string | undefined {
  return request.params['customer_uid'] as string | undefined;
}
