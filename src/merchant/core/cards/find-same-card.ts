// Before a card becomes one more key: does the member hold it already? Two keys of one card are allowed (§1 gives each
// card its customer_uid, and shows no rule against it), but mostly they are a mistake, so the form asks first.

import type { Context } from '../../platform/context';
import { findActiveCards, type HeldCard } from '../billing-keys/billing-key-store';
import { looksLikeCard } from '../billing-keys/same-card';

/**
 * Returns null where none of the member's cards that can pay looks like the one that was typed, and for a form that was
 * sent before: that one is refused, whatever is in it.
 * @throws DatabaseError
 */
export async function findSameCard(
  context: Context,
  { customerUid, memberId, cardNumber }: { customerUid: string; memberId: string; cardNumber: string },
): Promise<HeldCard | null> {
  const cards = await findActiveCards(context, memberId);
  if (cards.some((card) => card.customerUid === customerUid)) return null;
  return cards.find((card) => looksLikeCard(card, cardNumber)) ?? null;
}
