// The list of a member's cards, and the removal of one. The removal form is on the list and asks for confirmation.

import type { CardUse, Context } from '../../platform/context';
import { addLogFields } from '../../platform/http/log-fields';
import type { PageRequest } from '../../platform/http/page-request';
import { getReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { shopOf } from '../../platform/http/shop-files';
import { linkIn } from '../../platform/http/views';
import { findCards } from '../billing-keys/billing-key-store';
import { findRemovedBetween } from '../billing-keys/removal-store';
import { NEWS_FOR_MS, toCardList } from './card-list';
import { removeCard } from './remove-card';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';
import { getMemberKey, issueFormToken, verifyPostedForm } from './verify-form';

export async function showCards(context: Context, asked: PageRequest): Promise<void> {
  const returnUrl = getReturnUrl(context.config, asked.request.query['return_url']);
  const memberId = await shopOf(asked.request).requireMember(asked.request, asked.response);
  if (memberId !== null) await sendCards(context, asked, { memberId, returnUrl });
}

type CardsPage = {
  memberId: string;
  /** A page of the shop, checked by `http/return-url.ts`; null if there is no link to one. */
  returnUrl: string | null;
  status?: number;
  /** A failed removal; its card shows why. */
  failed?: { customerUid: string; reason: keyof CardTexts['removal']['failed'] };
};

async function sendCards(context: Context, asked: PageRequest, page: CardsPage): Promise<void> {
  const { memberId, returnUrl, status = 200, failed } = page;
  const { config, clock } = context;
  const { cardEntry } = asked.views;
  const now = clock.now();
  // The end is for the sandbox, where a clock that was put back finds rows of a later time.
  const removed = await findRemovedBetween(context, memberId, {
    from: new Date(now.getTime() - NEWS_FOR_MS),
    to: new Date(now.getTime() + NEWS_FOR_MS),
  });
  const uses = await findCardUses(context, memberId);
  const usesOf = (card: { customerUid: string }) =>
    uses.filter(({ customerUid }) => customerUid === card.customerUid);
  // Each card has the form token for its removal.
  const cards = toCardList(await findCards(context, memberId), now).map((card) => {
    const subject = { customerUid: card.customerUid, memberId, purpose: 'remove', returnUrl } as const;
    const replacePage = cardEntry?.replace(card.customerUid) ?? null;
    const usedBy = usesOf(card);
    return { ...card, replacePage, usedBy, removalToken: issueFormToken(config.formSecrets, subject, now) };
  });
  asked.views.send(asked.request, asked.response, {
    status,
    template: 'cards/cards',
    texts: { ko, en },
    title: ({ list }) => list.title,
    isError: failed !== undefined,
    path: withReturnUrl('/cards', returnUrl),
    data: {
      cards,
      removed: removed.map((card) => ({ ...card, usedBy: usesOf(card) })),
      // A link on the notice hides it, also without JavaScript.
      hidesNews: asked.request.query['news'] === 'seen' || failed !== undefined,
      withoutNews: withReturnUrl('/cards?news=seen', returnUrl),
      failed,
      returnUrl,
      addCard: cardEntry && withReturnUrl(cardEntry.register, returnUrl),
    },
  });
}

/** What a member's cards pay for: each feature names its part. */
export async function findCardUses(context: Context, memberId: string): Promise<CardUse[]> {
  const parts = context.features.map(async ({ cardUses }) => cardUses?.(context, memberId) ?? []);
  return (await Promise.all(parts)).flat();
}

export async function submitRemoval(context: Context, asked: PageRequest): Promise<void> {
  const { request, response } = asked;
  const form = await verifyPostedForm(context, asked, { purpose: 'remove', page: '/cards' });
  if (form === null) return;
  const { customerUid, memberId, returnUrl } = form;
  const key = await getMemberKey(context, customerUid, memberId);
  const outcome = form.isExpired ? { kind: 'expired' as const } : await removeCard(context, key);
  addLogFields(response, { customer_uid: customerUid, outcome: outcome.kind });
  const failed = (status: number, reason: 'cannot_now' | 'expired' | 'in_use') =>
    sendCards(context, asked, { memberId, returnUrl, status, failed: { customerUid, reason } });
  switch (outcome.kind) {
    case 'removed':
    case 'unfinished':
      // The list shows an unfinished removal. The member has nothing left to do.
      return response.redirect(303, linkIn(request, withReturnUrl('/cards', returnUrl)));
    case 'expired':
      return failed(410, outcome.kind);
    case 'in_use':
      return failed(409, outcome.kind);
    case 'cannot_now':
      response.set('Retry-After', '30');
      return failed(503, outcome.kind);
  }
}
