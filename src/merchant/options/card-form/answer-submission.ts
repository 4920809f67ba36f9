// Answers a posted card form: one page, redirect or status for each outcome.

import type { ListedCard } from '../../core/billing-keys/billing-key-store';
import { cardErrors } from '../../core/cards/errors';
import type { Context } from '../../platform/context';
import { HttpError, type DatabaseError } from '../../platform/errors';
import { startErrorResponse } from '../../platform/http/error-response';
import { addLogFields } from '../../platform/http/log-fields';
import type { PageRequest } from '../../platform/http/page-request';
import { withCustomerUid } from '../../platform/http/return-url';
import { linkIn } from '../../platform/http/views';
import type { FieldProblems } from './card-form';
import { cardFormErrors } from './errors';
import type { TryRefusal } from './limit-try';
import type { RegistrationOutcome } from './register-card';
import { sendForm, sendRefusal, type FormOf } from './show-form';
import { sendPending } from './show-outcome';

export type SubmissionOutcome =
  | RegistrationOutcome
  | { kind: 'expired' }
  | { kind: 'invalid'; problems: FieldProblems }
  /** The member seems to have this card; nothing was sent. */
  | { kind: 'same_card'; sameCard: ListedCard }
  /** A limit; nothing was sent. */
  | { kind: 'refused'; refusal: TryRefusal }
  /** The database is not available; nothing was sent. */
  | { kind: 'not_now'; error: DatabaseError };

type SubmittedForm = FormOf & { customerUid: string };

export async function answerSubmission(
  context: Context,
  asked: PageRequest,
  { customerUid, ...form }: SubmittedForm,
  outcome: SubmissionOutcome,
): Promise<void> {
  const { request, response } = asked;
  const { returnUrl } = form;
  switch (outcome.kind) {
    case 'expired':
      return sendForm(context, asked, { ...form, status: 410, notice: 'expired' });
    case 'invalid':
      return sendForm(context, asked, { ...form, status: 400, problems: outcome.problems });
    case 'same_card':
      addLogFields(response, { outcome: 'same_card' });
      return sendForm(context, asked, { ...form, status: 400, sameCard: outcome.sameCard });
    case 'refused':
      return sendRefusal(context, asked, form, outcome.refusal);
    case 'not_now': {
      const { status } = startErrorResponse(context, outcome.error, asked);
      return sendForm(context, asked, { ...form, status, notice: 'not_now' });
    }
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
      return sendForm(context, asked, { ...form, status: 400, notice: 'declined' });
    case 'unknown':
      return sendPending(asked, { customerUid, returnUrl, status: 202 });
    case 'cannot_start':
      response.set('Retry-After', '30');
      return sendForm(context, asked, { ...form, status: 503, notice: 'cannot_start' });
    case 'form_in_use':
    case 'key_in_use':
      throw new HttpError(cardFormErrors[outcome.kind]);
    case 'no_key':
      throw new HttpError(cardErrors.no_such_card);
  }
}
