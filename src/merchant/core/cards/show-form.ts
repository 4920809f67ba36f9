// The card form as a page, for a new card and for a replacement, and as the answer to a post. Each is a new form: a fresh
// nonce, a fresh customer_uid for a new card, and empty fields, because nothing of a card that was typed is ever sent back.

import { randomUUID } from 'node:crypto';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/request-log';
import { getReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { requireMember, showChallenge } from '../../platform/http/shop-files';
import type { Page } from '../../platform/http/views';
import type { Visit } from '../../platform/http/visit';
import type { HeldCard } from '../billing-keys/billing-key-store';
import { FORM_FIELDS, isTicked, type Box, type FieldProblems } from './card-form';
import { findFormRefusal, limitOf, type AttemptRefusal, type FormRefusal } from './limit-attempt';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';
import { getReplaceableKey, issueFormToken, pathCustomerUid } from './verify-form';
import { findMeasures, type Measures } from './watch-declines';

type FormPage = {
  memberId: string;
  /** The key whose card is replaced. Null means a new card. */
  replaces: string | null;
  /** Where a registered card leads; it comes from `http/return-url.ts`. Null means to the list of cards. */
  returnUrl: string | null;
  status?: number;
  problems?: FieldProblems;
  notice?: keyof CardTexts['notices'];
  /** Of a form that was posted and stays good: it is shown again as it was made. */
  hidden?: { customerUid: string; formToken: string };
  /** A card of the member that looks like the one that was typed. The page asks before it is registered once more. */
  sameCard?: HeldCard;
  /** Boxes that were ticked before: they stay ticked, so that nothing is asked twice. */
  ticked?: readonly Box[];
  /** HTML of `shop/challenge.ts`; null where none is asked for. */
  challenge: string | null;
  /** The radio button steers label and hint of one field; it decides nothing. */
  isCompany?: boolean;
};

function formPage(context: Context, page: FormPage): Page<CardTexts> {
  const { replaces, returnUrl, status = 200, problems = {}, notice } = page;
  const { sameCard, ticked = [], isCompany = false } = page;
  const action = replaces === null ? '/cards' : `/cards/${replaces}/replace`;
  return {
    status,
    template: 'cards/card-form',
    texts: { ko, en },
    title: ({ form }) => (replaces === null ? form.registerTitle : form.replaceTitle),
    // A confirmation prompt is not an error.
    isError: status >= 400 && !sameCard,
    path: withReturnUrl(replaces === null ? '/cards/new' : action, returnUrl),
    data: {
      action,
      isReplacement: replaces !== null,
      ...(page.hidden ?? newHiddenFields(context, page)),
      minAgeMs: context.config.cardLimits.formMinAgeMs,
      returnUrl,
      isCompany,
      challenge: page.challenge,
      problems,
      problemFields: FORM_FIELDS.filter((field) => problems[field]),
      notice,
      sameCard,
      replaceSameCard: sameCard && withReturnUrl(`/cards/${sameCard.customerUid}/replace`, returnUrl),
      ticked,
      asksAgain: replaces === null && (sameCard !== undefined || ticked.includes('register_again')),
      testCards: context.config.sandboxMode ? SANDBOX_CARDS : [],
    },
  };
}

function newHiddenFields({ config, clock }: Context, { memberId, replaces, returnUrl }: FormPage) {
  // Each card has its own customer_uid (§1).
  const customerUid = replaces ?? `card_${randomUUID().replaceAll('-', '')}`;
  const purpose = replaces === null ? 'register' : 'replace';
  const subject = { customerUid, memberId, purpose, returnUrl } as const;
  return { customerUid, formToken: issueFormToken(config.formSecrets, subject, clock.now()) };
}

/** Numbers that make the sandbox behave in a certain way. To the merchant they are numbers like any other. */
const SANDBOX_CARDS: readonly { number: string; label: keyof CardTexts['testCards'] }[] = [
  { number: '4242-4242-4242-4242', label: 'success' },
  { number: '4000-0000-0000-0002', label: 'declined' },
  { number: '4000-0000-0000-0010', label: 'wrong_password' },
  { number: '4000-0000-0000-0069', label: 'expired' },
  { number: '4000-0000-0000-0077', label: 'slow' },
  { number: '4000-0000-0000-0085', label: 'lost_response' },
  { number: '4000-0000-0000-0341', label: 'later_payments_fail' },
];

/**
 * The page in place of the form while no card is taken: why, and when to try again. It is no form, so that nobody types a card
 * in vain. One text for member, address and card: nobody learns which it was.
 */
function refusalPage(
  { replaces, returnUrl }: Pick<FormPage, 'replaces' | 'returnUrl'>,
  refusal: FormRefusal,
): Page<CardTexts> {
  const { kind } = refusal;
  return {
    status: 429,
    template: 'cards/card-refusal',
    texts: { ko, en },
    title: ({ refusals }) => refusals[kind].title,
    isError: true,
    path: withReturnUrl(replaces === null ? '/cards/new' : `/cards/${replaces}/replace`, returnUrl),
    data: {
      kind,
      returnUrl,
      cardsHeld: kind === 'cards_held' ? refusal.cardsHeld : null,
      wait: kind === 'cards_held' ? null : (lang: string) => waitIn(lang, refusal.retryAfterSeconds),
    },
  };
}

/** Such as "in 9 minutes", rounded up; from two hours on in hours. */
function waitIn(lang: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const format = new Intl.RelativeTimeFormat(lang);
  return minutes < 120 ? format.format(minutes, 'minute') : format.format(Math.ceil(minutes / 60), 'hour');
}

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
