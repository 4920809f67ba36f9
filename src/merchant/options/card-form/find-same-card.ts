// Checks whether the member already has this card before it is registered. Two keys for one card are allowed (§1 gives
// each card its customer_uid and shows no rule against it), but they are usually a mistake, so the form asks first.

import { findCards, type ListedCard } from '../../core/billing-keys/billing-key-store';
import { mayBeCard } from '../../core/billing-keys/judge-issuance';
import type { Context } from '../../platform/context';

/**
 * Returns null if none of the member's usable cards looks like the typed one. Also null if the form was posted before,
 * because that post is refused in any case.
 * @throws DatabaseError
 */
export async function findSameCard(
  context: Context,
  { customerUid, memberId, cardNumber }: { customerUid: string; memberId: string; cardNumber: string },
): Promise<ListedCard | null> {
  const held = await findCards(context, memberId);
  const cards = held.filter(({ status }) => status === 'active');
  if (cards.some((card) => card.customerUid === customerUid)) return null;
  return cards.find((card) => looksLikeCard({ ...card, lastFour: lastFourOf(card) }, cardNumber)) ?? null;
}

/** Of the card that was sent, in case the service masks one of them. */
function lastFourOf({ issuances }: ListedCard): string | null {
  return issuances.find(({ status }) => status === 'issued')?.cardLastFour ?? null;
}

/**
 * Compares the last four digits and every digit that the masked number shows. That is all we know of a stored card, so
 * the answer is only "probably", and the member decides. A stored card without a masked number is compared by its last
 * four digits alone.
 * @param sent with or without separators
 */
export function looksLikeCard(
  { cardNumber, lastFour }: { cardNumber: string | null; lastFour: string | null },
  sent: string,
): boolean {
  const digits = withoutSeparators(sent);
  const shown = withoutSeparators(cardNumber ?? '');
  const sentLastFour = digits.slice(-4);
  const endsAlike =
    lastFour === null
      ? shown.endsWith(sentLastFour)
      : lastFour === sentLastFour && mayBeCard(shown, lastFour);
  // Compared from the start, because some services shorten the masked middle.
  const shownFirst = /^\d+(?=\*)/.exec(shown)?.[0] ?? '';
  return endsAlike && digits.startsWith(shownFirst);
}

function withoutSeparators(number: string): string {
  return number.replace(/[\s-]/g, '');
}
