// Shows the card form, for a new card or a replacement, and as the answer to a post. Each form is new: a new nonce, a
// new customer_uid for a new card, and empty fields, because typed card data is never sent back.

import { randomUUID } from 'node:crypto';
import { findKey, type ListedCard } from '../../core/billing-keys/billing-key-store';
import { findCardUses } from '../../core/cards/show-cards';
import { issueFormToken, pathCustomerUid, requireReplaceable } from '../../core/cards/verify-form';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import type { PageRequest } from '../../platform/http/page-request';
import { getReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { shopOf } from '../../platform/http/shop-files';
import { linkIn, type Page } from '../../platform/http/views';
import { emptyAll } from '../../platform/limit-store';
import { CARD_ENTRY } from './card-entry';
import { FORM_FIELDS, isCompanyForm, isTicked, type Box, type FieldProblems } from './card-form';
import { TEST_CARDS } from './card-limits';
import { findFormRefusal, limitOf, type FormRefusal, type TryRefusal } from './limit-try';
import { cardLimitsOf } from './settings';
import { en } from './texts.en';
import { ko, type CardFormTexts } from './texts.ko';
import { findMeasures, type Measures } from './watch-declines';

type FormPage = {
  memberId: string;
  /** The key whose card is replaced; null for a new card. */
  replaces: string | null;
  /** Where to redirect after registration, checked by `http/return-url.ts`; null for the list of cards. */
  returnUrl: string | null;
  status?: number;
  problems?: FieldProblems;
  notice?: keyof CardFormTexts['notices'];
  /** The hidden fields of a posted form that stays valid; they are reused. */
  hidden?: { customerUid: string; formToken: string };
  /** A card of the member that looks like the typed one. The page asks before it is registered again. */
  sameCard?: ListedCard;
  /** Boxes that were ticked before and stay ticked. */
  ticked?: readonly Box[];
  /** HTML of `shop/challenge.ts`; null if no challenge is required. */
  challenge: string | null;
  /** The radio button changes the label and hint of one field and has no other effect. */
  isCompany?: boolean;
};

/** The card that is replaced, masked, and what it pays for. */
type Replaced = { company: string | null; number: string | null; usedBy: readonly string[] };

async function findReplaced(context: Context, { memberId, replaces }: FormOf): Promise<Replaced | null> {
  if (replaces === null) return null;
  const [key, uses] = await Promise.all([findKey(context, replaces), findCardUses(context, memberId)]);
  const usedBy = uses.filter(({ customerUid }) => customerUid === replaces).map(({ name }) => name);
  return { company: key?.cardName ?? null, number: key?.cardNumber ?? null, usedBy };
}

function formPage(context: Context, page: FormPage, replaced: Replaced | null): Page<CardFormTexts> {
  const { replaces, returnUrl, status = 200, problems = {}, notice } = page;
  const { sameCard, ticked = [], isCompany = false } = page;
  const path = pageOf(replaces);
  return {
    status,
    template: 'card-form/card-form',
    texts: { ko, en },
    title: ({ form }) => (replaces === null ? form.registerTitle : form.replaceTitle),
    // A confirmation prompt is not an error.
    isError: status >= 400 && !sameCard,
    path: withReturnUrl(path, returnUrl),
    data: {
      action: replaces === null ? '/cards' : path,
      isReplacement: replaces !== null,
      replaced,
      ...(page.hidden ?? newHiddenFields(context, page)),
      minAgeMs: cardLimitsOf(context.config).formMinAgeMs,
      returnUrl,
      isCompany,
      challenge: page.challenge,
      problems,
      problemFields: FORM_FIELDS.filter((field) => problems[field]),
      notice,
      sameCard,
      replaceSameCard: sameCard && withReturnUrl(CARD_ENTRY.replace(sameCard.customerUid), returnUrl),
      ticked,
      asksAgain: replaces === null && (sameCard !== undefined || ticked.includes('register_again')),
      // The merchant treats them like any other card, except for the limits.
      testCards: context.config.sandboxMode ? Object.entries(TEST_CARDS) : [],
    },
  };
}

/** @param replaces the key whose card is replaced; null for a new card */
const pageOf = (replaces: string | null): string =>
  replaces === null ? CARD_ENTRY.register : CARD_ENTRY.replace(replaces);

function newHiddenFields({ config, realClock }: Context, { memberId, replaces, returnUrl }: FormPage) {
  // Each card has its own customer_uid (§1).
  const customerUid = replaces ?? `card_${randomUUID().replaceAll('-', '')}`;
  const purpose = replaces === null ? 'register' : 'replace';
  const subject = { customerUid, memberId, purpose, returnUrl } as const;
  return { customerUid, formToken: issueFormToken(config.formSecrets, subject, realClock.now()) };
}

/**
 * The page that replaces the form while no card is accepted: why, and when to try again. It has no form, so that no
 * card is typed in vain. Member, address and card share one text, so the visitor cannot tell which limit applied.
 */
function refusalPage(
  { replaces, returnUrl }: Pick<FormPage, 'replaces' | 'returnUrl'>,
  refusal: FormRefusal,
  canLift: boolean,
): Page<CardFormTexts> {
  const { kind } = refusal;
  return {
    status: 429,
    template: 'card-form/card-refusal',
    texts: { ko, en },
    title: ({ refusals }) => refusals[kind].title,
    isError: true,
    path: withReturnUrl(pageOf(replaces), returnUrl),
    data: {
      kind,
      returnUrl,
      canLift: kind !== 'cards_held' && canLift,
      cardsHeld: kind === 'cards_held' ? refusal.cardsHeld : null,
      wait: kind === 'cards_held' ? null : (lang: string) => waitIn(lang, refusal.retryAfterSeconds),
    },
  };
}

/** For example "in 9 minutes", rounded up; in hours from two hours on. */
function waitIn(lang: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const format = new Intl.RelativeTimeFormat(lang);
  return minutes < 120 ? format.format(minutes, 'minute') : format.format(Math.ceil(minutes / 60), 'hour');
}

/** The member, the key to replace and the return URL of a form. */
export type FormOf = Pick<FormPage, 'memberId' | 'replaces' | 'returnUrl'>;

/** Shows the form, for a new card or for the key in the path, or why no card is accepted now. */
export async function showForm(context: Context, asked: PageRequest): Promise<void> {
  const returnUrl = getReturnUrl(context.config, asked.request.query['return_url']);
  const memberId = await shopOf(asked.request).requireMember(asked.request, asked.response);
  if (memberId === null) return;
  const replaces = pathCustomerUid(asked) ?? null;
  if (replaces !== null) await requireReplaceable(context, replaces, memberId);
  const form = { memberId, replaces, returnUrl };
  const measures = await findMeasures(context, asked.request.source.client);
  // Some cards may be registered even now.
  const hasUnlimited = cardLimitsOf(context.config).unlimitedCards !== undefined;
  const refusal = hasUnlimited
    ? null
    : await findFormRefusal(context, { memberId, isNewCard: replaces === null }, measures);
  if (refusal) await sendRefusal(context, asked, form, refusal);
  else await sendForm(context, asked, form, measures);
}

const BOXES: Box[] = ['agree_terms', 'agree_privacy', 'register_again'];

/**
 * Only the kind of card and the boxes are shown again, never the card data.
 * @param measures if they are known already
 */
export async function sendForm(
  context: Context,
  asked: PageRequest,
  form: Omit<FormPage, 'challenge'>,
  measures?: Measures,
): Promise<void> {
  const { request, response, views } = asked;
  const known = measures ?? (await findMeasures(context, request.source.client).catch(nullWhileUnavailable));
  const challenge = known?.asksChallenge ? await shopOf(request).showChallenge(request, form.memberId) : null;
  const isCompany = isCompanyForm(request.body);
  const ticked = BOXES.filter((box) => isTicked(request.body, box));
  const replaced = await findReplaced(context, form).catch(nullWhileUnavailable);
  views.send(request, response, formPage(context, { isCompany, ticked, challenge, ...form }, replaced));
}

/** If the database is not available, the form neither has a challenge nor names the card. */
function nullWhileUnavailable(error: unknown): null {
  if (error instanceof DatabaseError) return null;
  throw error;
}

export async function sendRefusal(
  context: Context,
  asked: PageRequest,
  form: FormOf,
  refusal: TryRefusal,
): Promise<void> {
  const { request, response, views } = asked;
  if (refusal.kind === 'form_closed') addLogFields(response, { outcome: 'form_closed' });
  else addLogFields(response, { outcome: 'too_many', limit: limitOf(refusal) });
  if ('retryAfterSeconds' in refusal) response.set('Retry-After', String(refusal.retryAfterSeconds));
  if (refusal.kind === 'challenge')
    return sendForm(context, asked, { ...form, status: 400, notice: 'challenge' });
  if ('retryAfterSeconds' in refusal || refusal.kind === 'cards_held')
    return views.send(request, response, refusalPage(form, refusal, context.config.sandboxMode));
  // Shows the same form again. It is old enough by the time it is posted again.
  const { customer_uid: customerUid, form_token: formToken } = request.body as Record<string, string>;
  const hidden = { customerUid: String(customerUid), formToken: String(formToken) };
  response.set('Retry-After', String(Math.ceil(cardLimitsOf(context.config).formMinAgeMs / 1000)));
  await sendForm(context, asked, { ...form, status: 429, notice: 'too_soon', hidden });
}

/** The names of the buckets of limit-try.ts and watch-declines.ts. */
const BUCKETS = ['tries-', 'declined:', 'told:'];

/** Lifts each limit of this form, which only a person who tries the sandbox may do. */
export async function liftLimits(context: Context, { request, response }: PageRequest): Promise<void> {
  await emptyAll(context, BUCKETS);
  addLogFields(response, { outcome: 'limits_lifted' });
  response.redirect(303, linkIn(request, CARD_ENTRY.register));
}
