// A member's pages: register a card, list the cards, replace one, remove one. The story goes on in `register-card.ts`
// and `remove-card.ts`.

import { Router, type Request, type RequestHandler, type Response } from 'express';
import { parseAddressList } from '../address-list';
import { findCards } from '../billing-keys/billing-key-store';
import { CARD_FIELDS } from '../billing-keys/card-input';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { originCheck } from '../http/origin-check';
import { readForm, refuseInQuery } from '../http/read-form';
import { addLogFields } from '../http/request-log';
import { getReturnUrl, withCustomerUid } from '../http/return-url';
import { sourceAddress } from '../http/source-address';
import { linkIn, type Views } from '../http/views';
import { currentMember, requireMember } from '../shop/current-member';
import { CONSENT } from '../shop/terms';
import { asksAgain, parseCardForm } from './card-form';
import { toCardList } from './card-list';
import { findSameCard } from './find-same-card';
import { formPage, type FormPage } from './form-page';
import { issueFormToken, type FormPurpose } from './form-token';
import { getMemberKey, getReplaceableKey } from './get-member-key';
import { findFormRefusal, limitAttempt, limitOf, type AttemptRefusal } from './limit-attempt';
import { refusalPage } from './refusal-page';
import { registerCard, type RegistrationOutcome } from './register-card';
import { removeCard } from './remove-card';
import { signedOutPage } from './signed-out-page';
import { verifyForm, type VerifiedForm } from './verify-form';

/** One request for a page, and what it is answered with. */
type Visit = {
  request: Request;
  response: Response;
  views: Views;
  /** Of the browser, in the same way as the webhook sees its sender; null where it cannot be known. */
  address: string | null;
};
/** Whose form it is, for which key, and where it leads. */
type FormOf = Pick<FormPage, 'memberId' | 'replaces' | 'returnUrl'>;

export function cardRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const trustedProxies = parseAddressList(context.config.trustedProxies).list;
  const page =
    (handle: (context: Context, visit: Visit) => Promise<void>): RequestHandler =>
    (request, response) =>
      handle(context, { request, response, views, address: sourceAddress(request, trustedProxies) });
  router.use('/cards', originCheck(context.config), refuseInQuery(CARD_FIELDS));

  router.get('/cards/new', page(showNewForm));
  router.post('/cards', ...readForm, page(submitNewCard));
  router.get('/cards', page(showCards));
  router.get('/cards/:customer_uid/replace', page(showReplacementForm));
  router.post('/cards/:customer_uid/replace', ...readForm, page(submitReplacement));
  router.post('/cards/:customer_uid/remove', ...readForm, page(submitRemoval));

  router.all('/cards', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/new', methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/replace', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/:customer_uid/remove', methodNotAllowed('POST'));
  return router;
}

async function showNewForm(context: Context, visit: Visit): Promise<void> {
  const returnUrl = getReturnUrl(context.config, visit.request.query['return_url']);
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId === null) return;
  await openForm(context, visit, { memberId, replaces: null, returnUrl });
}

async function showReplacementForm(context: Context, visit: Visit): Promise<void> {
  const returnUrl = getReturnUrl(context.config, visit.request.query['return_url']);
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId === null) return;
  const { customerUid } = await getReplaceableKey(context, String(pathCustomerUid(visit.request)), memberId);
  await openForm(context, visit, { memberId, replaces: customerUid, returnUrl });
}

/** The form, or why no card is taken now. */
async function openForm(context: Context, visit: Visit, form: FormOf): Promise<void> {
  const { memberId, replaces } = form;
  const refusal = await findFormRefusal(context, { memberId, isNewCard: replaces === null });
  if (refusal) sendRefusal(context, visit, form, refusal);
  else sendForm(context, visit, form);
}

async function showCards(context: Context, { request, response, views }: Visit): Promise<void> {
  const memberId = await requireMember(request, response);
  if (memberId === null) return;
  views.send(request, response, {
    status: 200,
    template: 'cards',
    title: ({ list }) => list.title,
    data: { cards: await cardsOf(context, memberId) },
  });
}

/** Each card carries the token of the form that removes it. */
async function cardsOf(context: Context, memberId: string) {
  const { config, clock } = context;
  const now = clock.now();
  return toCardList(await findCards(context, memberId), now).map((card) => {
    const subject = { customerUid: card.customerUid, memberId, purpose: 'remove', returnUrl: null } as const;
    return { ...card, removalToken: issueFormToken(config.formSecrets, subject, now) };
  });
}

function submitNewCard(context: Context, visit: Visit): Promise<void> {
  return submitCard(context, visit, 'register');
}

function submitReplacement(context: Context, visit: Visit): Promise<void> {
  return submitCard(context, visit, 'replace');
}

/** A card for a new customer_uid, or for one that holds a key already (§1): the same rules, the same use case. */
async function submitCard(context: Context, visit: Visit, purpose: 'register' | 'replace'): Promise<void> {
  const { request, response } = visit;
  const verified = await verifyPostedForm(context, visit, purpose);
  if (verified === null) return;
  const { memberId, customerUid, returnUrl } = verified;
  const replacesKey = purpose === 'replace';
  if (replacesKey) await getReplaceableKey(context, customerUid, memberId);
  const form = { memberId, replaces: replacesKey ? customerUid : null, returnUrl };
  if (verified.expired) return sendForm(context, visit, { ...form, status: 410, notice: 'expired' });
  const fields = parseCardForm(request.body, context.clock.now());
  if ('problems' in fields) return sendForm(context, visit, { ...form, status: 400, ...fields });

  const { card, registerAgain } = fields;
  // A replacement makes no further key.
  const asks = !replacesKey && !registerAgain;
  const sameCard = asks
    ? await findSameCard(context, { customerUid, memberId, cardNumber: card.cardNumber })
    : null;
  if (sameCard) {
    addLogFields(response, { outcome: 'same_card' });
    return sendForm(context, visit, { ...form, status: 400, sameCard });
  }

  const refusal = await limitAttempt(context, {
    memberId,
    address: visit.address,
    cardNumber: card.cardNumber,
    isNewCard: !replacesKey,
    formAgeMs: verified.ageMs,
  });
  if (refusal) return sendRefusal(context, visit, form, refusal);

  const issuance = { customerUid, memberId, formNonce: verified.nonce, replacesKey, consent: CONSENT };
  const outcome = await registerCard(context, { ...issuance, card });
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  answerRegistration(context, visit, { ...form, customerUid }, outcome);
}

function answerRegistration(
  context: Context,
  visit: Visit,
  { customerUid, ...form }: FormOf & { customerUid: string },
  outcome: RegistrationOutcome,
): void {
  const { request, response, views } = visit;
  const { returnUrl } = form;
  switch (outcome.kind) {
    case 'registered':
      // The shop learns which card it was.
      return response.redirect(
        303,
        returnUrl === null ? linkIn(request, '/cards') : withCustomerUid(returnUrl, customerUid),
      );
    case 'declined':
      // One page for every reason: nobody finds out a card's data by trying (K5). The reason is for operators.
      addLogFields(response, { reason: outcome.serviceMessage });
      return sendForm(context, visit, { ...form, status: 400, notice: 'declined' });
    case 'unknown':
      return views.send(request, response, {
        status: 202,
        template: 'card-pending',
        title: ({ pending }) => pending.title,
        path: '/cards',
        // Without the customer_uid: its presence says that the card is registered.
        data: { returnUrl },
      });
    case 'cannot_start':
      response.set('Retry-After', '30');
      return sendForm(context, visit, { ...form, status: 503, notice: 'cannot_start' });
    case 'in_use':
      throw new HttpError('form_in_use');
    case 'no_key':
      throw new HttpError('no_such_card');
  }
}

function sendRefusal(context: Context, visit: Visit, form: FormOf, refusal: AttemptRefusal): void {
  const { request, response, views } = visit;
  if (refusal.kind === 'form_closed') addLogFields(response, { outcome: 'form_closed' });
  else addLogFields(response, { outcome: 'too_many', limit: limitOf(refusal) });
  if ('retryAfterSeconds' in refusal) response.set('Retry-After', String(refusal.retryAfterSeconds));
  if (refusal.kind !== 'too_soon') return views.send(request, response, refusalPage(form, refusal));
  // The same form again: by the time it is sent once more, it is old enough.
  const { customer_uid: customerUid, form_token: formToken } = request.body as Record<string, string>;
  const hidden = { customerUid: String(customerUid), formToken: String(formToken) };
  response.set('Retry-After', String(Math.ceil(context.config.cardLimits.formMinAgeMs / 1000)));
  sendForm(context, visit, { ...form, status: 429, notice: 'too_soon', hidden });
}

async function submitRemoval(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const form = await verifyPostedForm(context, visit, 'remove');
  if (form === null) return;
  if (form.expired) throw new HttpError('form_expired');
  const { customerUid, memberId } = form;
  const outcome = await removeCard(context, await getMemberKey(context, customerUid, memberId));
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  switch (outcome.kind) {
    case 'removed':
    case 'unfinished':
      // The list shows one that is on its way; there is nothing left for the member to do.
      return response.redirect(303, linkIn(request, '/cards'));
    case 'in_use':
      throw new HttpError('key_in_use');
    case 'cannot_now':
      throw new HttpError('cannot_remove_now');
  }
}

/**
 * Null means that a stranger posted it and has been answered. A post asks `currentMember` alone: cookies that are
 * SameSite=Lax are missing in a post that another site caused, and an answer that made a new member of its sender, or
 * sent it through a sign-in, would replace the cookie of the member who sits there. The page leads to the form, where
 * `requireMember` decides.
 * @throws HttpError as `verifyForm`
 */
async function verifyPostedForm(
  context: Context,
  { request, response, views }: Visit,
  purpose: FormPurpose,
): Promise<VerifiedForm | null> {
  const memberId = await currentMember(request);
  const posted = { pathCustomerUid: pathCustomerUid(request), purpose, body: request.body as unknown };
  if (memberId !== null) return verifyForm(context, { memberId, ...posted });
  addLogFields(response, { outcome: 'signed_out' });
  views.send(request, response, signedOutPage(context, posted));
  return null;
}

function sendForm(context: Context, { request, response, views }: Visit, form: FormPage): void {
  const isCompany = (request.body as { card_holder?: unknown } | undefined)?.card_holder === 'company';
  const registerAgain = form.replaces === null && asksAgain(request.body);
  views.send(request, response, formPage(context, { ...form, isCompany, registerAgain }));
}

/** Undefined where the path names no key. */
function pathCustomerUid(request: Request): string | undefined {
  return request.params['customer_uid'] as string | undefined;
}

function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allow);
    throw new HttpError('method_not_allowed');
  };
}
