// GET of the card form, for a new card and for a replacement; and the form as the answer to a post.

import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/request-log';
import { getReturnUrl } from '../../platform/http/return-url';
import { requireMember, showChallenge } from '../../platform/http/shop-files';
import type { Visit } from '../../platform/http/visit';
import { isTicked, type Box } from './card-form';
import type { Measures } from './decline-buckets';
import { formPage, type FormPage } from './form-page';
import { getReplaceableKey } from './get-member-key';
import { findFormRefusal, limitOf, type AttemptRefusal } from './limit-attempt';
import { pathCustomerUid } from './posted-form';
import { refusalPage } from './refusal-page';
import { findMeasures } from './watch-declines';

/** Whose form it is, for which key, and where it leads. */
export type FormOf = Pick<FormPage, 'memberId' | 'replaces' | 'returnUrl'>;

export async function showNewForm(context: Context, visit: Visit): Promise<void> {
  const returnUrl = getReturnUrl(context.config, visit.request.query['return_url']);
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId === null) return;
  await openForm(context, visit, { memberId, replaces: null, returnUrl });
}

export async function showReplacementForm(context: Context, visit: Visit): Promise<void> {
  const returnUrl = getReturnUrl(context.config, visit.request.query['return_url']);
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId === null) return;
  const { customerUid } = await getReplaceableKey(context, String(pathCustomerUid(visit)), memberId);
  await openForm(context, visit, { memberId, replaces: customerUid, returnUrl });
}

/** The form, or why no card is taken now. */
async function openForm(context: Context, visit: Visit, form: FormOf): Promise<void> {
  const { memberId, replaces } = form;
  const measures = await findMeasures(context, visit.address);
  const refusal = await findFormRefusal(context, { memberId, isNewCard: replaces === null }, measures);
  if (refusal) await sendRefusal(context, visit, form, refusal);
  else await sendForm(context, visit, form, measures);
}

const BOXES: Box[] = ['agree_terms', 'agree_privacy', 'register_again'];

/**
 * Of what was posted only the kind of card and the boxes are shown again: no field of the card ever is.
 * @param measures where they are known already
 */
export async function sendForm(
  context: Context,
  visit: Visit,
  form: Omit<FormPage, 'challenge'>,
  measures?: Measures,
): Promise<void> {
  const { request, response, views } = visit;
  const { asksChallenge } = measures ?? (await findMeasuresNow(context, visit));
  const challenge = asksChallenge ? await showChallenge(request, form.memberId) : null;
  const isCompany = (request.body as { card_holder?: unknown } | undefined)?.card_holder === 'company';
  const ticked = BOXES.filter((box) => isTicked(request.body, box));
  views.send(request, response, formPage(context, { isCompany, ticked, challenge, ...form }));
}

/** The page that says that the database is away comes without a challenge. */
async function findMeasuresNow(
  context: Context,
  { address }: Visit,
): Promise<Pick<Measures, 'asksChallenge'>> {
  try {
    return await findMeasures(context, address);
  } catch (error) {
    if (error instanceof DatabaseError) return { asksChallenge: false };
    throw error;
  }
}

export async function sendRefusal(
  context: Context,
  visit: Visit,
  form: FormOf,
  refusal: AttemptRefusal,
): Promise<void> {
  const { request, response, views } = visit;
  if (refusal.kind === 'form_closed') addLogFields(response, { outcome: 'form_closed' });
  else addLogFields(response, { outcome: 'too_many', limit: limitOf(refusal) });
  if ('retryAfterSeconds' in refusal) response.set('Retry-After', String(refusal.retryAfterSeconds));
  if (refusal.kind === 'challenge')
    return sendForm(context, visit, { ...form, status: 400, notice: 'challenge' });
  if ('retryAfterSeconds' in refusal || refusal.kind === 'cards_held')
    return views.send(request, response, refusalPage(form, refusal));
  // The same form again: by the time it is sent once more, it is old enough.
  const { customer_uid: customerUid, form_token: formToken } = request.body as Record<string, string>;
  const hidden = { customerUid: String(customerUid), formToken: String(formToken) };
  response.set('Retry-After', String(Math.ceil(context.config.cardLimits.formMinAgeMs / 1000)));
  await sendForm(context, visit, { ...form, status: 429, notice: 'too_soon', hidden });
}
