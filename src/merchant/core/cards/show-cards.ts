// GET of the list of a member's cards; and the list as the answer to a removal that failed.

import type { Context } from '../../platform/context';
import { requireMember } from '../../platform/http/shop-files';
import type { Visit } from '../../platform/http/visit';
import { findCards } from '../billing-keys/billing-key-store';
import { findRemovedSince } from '../billing-keys/removal-store';
import { NEWS_FOR_MS, toCardList } from './card-list';
import { issueFormToken } from './form-token';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';

export async function showCards(context: Context, visit: Visit): Promise<void> {
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId !== null) await sendCards(context, visit, { memberId });
}

type CardsPage = {
  memberId: string;
  status?: number;
  /** A removal that failed: the card says why. */
  failed?: { customerUid: string; reason: keyof CardTexts['removal']['failed'] };
};

export async function sendCards(context: Context, visit: Visit, page: CardsPage): Promise<void> {
  const { memberId, status = 200, failed } = page;
  const { config, clock } = context;
  const now = clock.now();
  const removed = await findRemovedSince(context, memberId, new Date(now.getTime() - NEWS_FOR_MS));
  // Each card carries the token of the form that removes it.
  const cards = toCardList(await findCards(context, memberId), now).map((card) => {
    const subject = { customerUid: card.customerUid, memberId, purpose: 'remove', returnUrl: null } as const;
    return { ...card, removalToken: issueFormToken(config.formSecrets, subject, now) };
  });
  visit.views.send(visit.request, visit.response, {
    status,
    template: 'cards/cards',
    texts: { ko, en },
    title: ({ list }) => list.title,
    isError: failed !== undefined,
    path: '/cards',
    data: { cards, removed, failed },
  });
}
