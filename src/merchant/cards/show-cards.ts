// GET of the list of a member's cards; and the list as the answer to a removal that failed.

import { findCards } from '../billing-keys/billing-key-store';
import type { Context } from '../context';
import type { Visit } from '../http/visit';
import type { Locale } from '../locales/ko';
import { requireMember } from '../shop/current-member';
import { toCardList } from './card-list';

export async function showCards(context: Context, visit: Visit): Promise<void> {
  const memberId = await requireMember(visit.request, visit.response);
  if (memberId !== null) await sendCards(context, visit, { memberId });
}

type CardsPage = {
  memberId: string;
  status?: number;
  /** A removal that failed: the card says why. */
  failed?: { customerUid: string; reason: keyof Locale['removal']['failed'] };
};

export async function sendCards(context: Context, visit: Visit, page: CardsPage): Promise<void> {
  const { memberId, status = 200, failed } = page;
  const cards = toCardList(await findCards(context, memberId), context.clock.now());
  visit.views.send(visit.request, visit.response, {
    status,
    template: 'cards',
    title: ({ list }) => list.title,
    isError: failed !== undefined,
    path: '/cards',
    data: { cards, failed },
  });
}
