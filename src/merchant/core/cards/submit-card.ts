// POST the card form: verifies the form, parses it, applies the limits, registers the card and answers with the
// outcome.

import type { Context } from '../../platform/context';
import { DatabaseError, HttpError } from '../../platform/errors';
import { errorResponse } from '../../platform/http/error-response';
import { addLogFields } from '../../platform/http/log-fields';
import { withCustomerUid } from '../../platform/http/return-url';
import { linkIn } from '../../platform/http/views';
import type { Visit } from '../../platform/http/visit';
import { CONSENT } from '../../shop/terms';
import { bestEffort } from '../attempts/send-once';
import { isUnlimited } from '../card-testing/limit-card';
import { limitTry } from '../card-testing/limit-try';
import { watchDeclines } from '../card-testing/watch-declines';
import { parseCardForm } from './card-form';
import { cardErrors } from './errors';
import { findSameCard } from './find-same-card';
import { registerCard, type RegistrationOutcome } from './register-card';
import { sendForm, sendRefusal, type FormOf } from './show-form';
import { sendPending } from './show-outcome';
import { getReplaceableKey, pathCustomerUid, verifyPostedForm, type VerifiedForm } from './verify-form';

/** Handles a card for a new customer_uid or for the key in the path (§1), with the same rules. */
export async function submitCard(context: Context, visit: Visit): Promise<void> {
  const purpose = pathCustomerUid(visit) === undefined ? 'register' : 'replace';
  const verified = await verifyPostedForm(context, visit, purpose);
  if (verified === null) return;
  const { memberId, customerUid, returnUrl } = verified;
  const form = { memberId, replaces: purpose === 'replace' ? customerUid : null, returnUrl };
  let answer: () => Promise<void>;
  try {
    answer = await tryCard(context, visit, form, verified);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // Nothing was sent: writes after the call do not throw.
    const { status, code, retryAfterSeconds } = errorResponse(error);
    context.logger.error({ err: error, request_id: visit.request.id, event: 'request_failed' });
    addLogFields(visit.response, { outcome: code });
    if (retryAfterSeconds !== undefined) visit.response.set('Retry-After', String(retryAfterSeconds));
    return sendForm(context, visit, { ...form, status, notice: 'not_now' });
  }
  await answer();
}

/**
 * Returns what answers the request.
 * @throws DatabaseError; nothing was then sent
 */
async function tryCard(
  context: Context,
  visit: Visit,
  form: FormOf,
  verified: VerifiedForm,
): Promise<() => Promise<void>> {
  const { request, response } = visit;
  const { memberId, customerUid } = verified;
  const replacesKey = form.replaces !== null;
  if (replacesKey) await getReplaceableKey(context, customerUid, memberId);
  if (verified.isExpired) return () => sendForm(context, visit, { ...form, status: 410, notice: 'expired' });
  const fields = parseCardForm(request.body, context.clock.now());
  if ('problems' in fields) return () => sendForm(context, visit, { ...form, status: 400, ...fields });

  const { card, registerAgain } = fields;
  // A replacement adds no key.
  const asks = !replacesKey && !registerAgain;
  const sameCard = asks
    ? await findSameCard(context, { customerUid, memberId, cardNumber: card.cardNumber })
    : null;
  if (sameCard) {
    addLogFields(response, { outcome: 'same_card' });
    return () => sendForm(context, visit, { ...form, status: 400, sameCard });
  }

  const refusal = await limitTry(context, {
    request,
    memberId,
    cardNumber: card.cardNumber,
    isNewCard: !replacesKey,
    formAgeMs: verified.ageMs,
  });
  if (refusal) return () => sendRefusal(context, visit, form, refusal);

  const issuance = { customerUid, memberId, formNonce: verified.nonce, replacesKey, consent: CONSENT };
  const outcome = await registerCard(context, { ...issuance, card });
  const { kind } = outcome;
  if ((kind === 'registered' || kind === 'declined') && !isUnlimited(context, card.cardNumber))
    await bestEffort(context, () => watchDeclines(context, request.source.client, kind));
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  return () => answerRegistration(context, visit, { ...form, customerUid }, outcome);
}

async function answerRegistration(
  context: Context,
  visit: Visit,
  { customerUid, ...form }: FormOf & { customerUid: string },
  outcome: RegistrationOutcome,
): Promise<void> {
  const { request, response } = visit;
  const { returnUrl } = form;
  switch (outcome.kind) {
    case 'registered':
      // Tells the shop which card was registered.
      return response.redirect(
        303,
        returnUrl === null ? linkIn(request, '/cards') : withCustomerUid(returnUrl, customerUid),
      );
    case 'declined':
      // The same page for every reason, so that card data cannot be found by trying (K5). The reason goes to the log,
      // for operators.
      addLogFields(response, { reason: outcome.serviceMessage });
      return sendForm(context, visit, { ...form, status: 400, notice: 'declined' });
    case 'unknown':
      return sendPending(visit, { customerUid, returnUrl, status: 202 });
    case 'cannot_start':
      response.set('Retry-After', '30');
      return sendForm(context, visit, { ...form, status: 503, notice: 'cannot_start' });
    case 'form_in_use':
    case 'key_in_use':
      throw new HttpError(cardErrors[outcome.kind]);
    case 'no_key':
      throw new HttpError(cardErrors.no_such_card);
  }
}
