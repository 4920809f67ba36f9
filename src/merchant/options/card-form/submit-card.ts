// POST the card form: verifies the form, parses it, applies the limits, registers the card and answers with the
// outcome.

import {
  pathCustomerUid,
  requireReplaceable,
  verifyPostedForm,
  type VerifiedForm,
} from '../../core/cards/verify-form';
import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import type { PageRequest } from '../../platform/http/page-request';
import { CONSENT } from '../../shop/terms';
import { answerSubmission, type SubmissionOutcome } from './answer-submission';
import { CARD_ENTRY } from './card-entry';
import { parseCardForm } from './card-form';
import { findSameCard } from './find-same-card';
import { limitTry } from './limit-try';
import { registerCard } from './register-card';
import { watchDeclines } from './watch-declines';

/** Handles a card for a new customer_uid or for the key in the path (§1), with the same rules. */
export async function submitCard(context: Context, asked: PageRequest): Promise<void> {
  const inPath = pathCustomerUid(asked);
  const purpose = inPath === undefined ? 'register' : 'replace';
  const verified = await verifyPostedForm(context, asked, { purpose, page: pageOf(inPath) });
  if (verified === null) return;
  const { memberId, customerUid, returnUrl } = verified;
  const replacesKey = purpose === 'replace';
  const outcome = await tryCard(context, asked, verified, replacesKey).catch(whileUnavailable);
  const form = { memberId, replaces: replacesKey ? customerUid : null, returnUrl, customerUid };
  await answerSubmission(context, asked, form, outcome);
}

/** The page of the form. Only a valid customer_uid is put into a link. */
function pageOf(inPath: string | undefined): string {
  if (inPath === undefined) return CARD_ENTRY.register;
  return isCustomerUid(inPath) ? CARD_ENTRY.replace(inPath) : '/cards';
}

/** @throws DatabaseError; nothing was then sent, because writes after the call do not throw */
async function tryCard(
  context: Context,
  { request, response }: PageRequest,
  verified: VerifiedForm,
  replacesKey: boolean,
): Promise<SubmissionOutcome> {
  const { memberId, customerUid, nonce: formNonce, ageMs: formAgeMs } = verified;
  if (replacesKey) await requireReplaceable(context, customerUid, memberId);
  if (verified.isExpired) return { kind: 'expired' };
  const fields = parseCardForm(request.body, context.clock.now());
  if ('problems' in fields) return { kind: 'invalid', ...fields };

  const { card, registerAgain } = fields;
  const { cardNumber } = card;
  // A replacement adds no key.
  const asks = !replacesKey && !registerAgain;
  const sameCard = asks ? await findSameCard(context, { customerUid, memberId, cardNumber }) : null;
  if (sameCard) return { kind: 'same_card', sameCard };

  const isNewCard = !replacesKey;
  const refusal = await limitTry(context, { request, memberId, cardNumber, isNewCard, formAgeMs });
  if (refusal) return { kind: 'refused', refusal };

  const issuance = { customerUid, memberId, formNonce, replacesKey, consent: CONSENT };
  const outcome = await registerCard(context, { ...issuance, card });
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  await watchDeclines(context, { address: request.source.client, cardNumber }, outcome.kind);
  return outcome;
}

function whileUnavailable(error: unknown): SubmissionOutcome {
  if (error instanceof DatabaseError) return { kind: 'not_now', error };
  throw error;
}
