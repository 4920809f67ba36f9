// The card form as a page. Each is a new form: a fresh nonce, a fresh customer_uid for a new card, and empty fields,
// because nothing of a card that was typed is ever sent back.

import { randomUUID } from 'node:crypto';
import type { Context } from '../../platform/context';
import { withReturnUrl } from '../../platform/http/return-url';
import type { Page } from '../../platform/http/views';
import type { HeldCard } from '../billing-keys/billing-key-store';
import { FORM_FIELDS, type Box, type FieldProblems } from './card-form';
import { issueFormToken } from './form-token';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';

export type FormPage = {
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

export function formPage(context: Context, page: FormPage): Page<CardTexts> {
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
