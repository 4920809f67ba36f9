// Before a card becomes one more key: does the member hold it already? Two keys of one card are allowed (§1 gives each
// card its customer_uid, and shows no rule against it), but mostly they are a mistake, so the form asks first.

import type { Context } from '../../platform/context';
import { findActiveCards, type HeldCard } from '../billing-keys/billing-key-store';
import { mayBeCard } from '../billing-keys/judge-issuance';

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

/**
 * All that is known of a held card is its masked number and its last four digits, so the answer is "it looks like it",
 * and only the member can say more: the same last four digits, and the same in every digit that the masked number
 * shows. A held card without a masked number is compared by its last four digits alone.
 * @param sent with or without separators
 */
export function looksLikeCard({ cardNumber, lastFour }: HeldCard, sent: string): boolean {
  const digits = withoutSeparators(sent);
  const shown = withoutSeparators(cardNumber ?? '');
  const sentLastFour = digits.slice(-4);
  const endsAlike =
    lastFour === null
      ? shown.endsWith(sentLastFour)
      : lastFour === sentLastFour && mayBeCard(shown, lastFour);
  // From its beginning, because some services shorten the masked middle.
  const shownFirst = /^\d+(?=\*)/.exec(shown)?.[0] ?? '';
  return endsAlike && digits.startsWith(shownFirst);
}

function withoutSeparators(number: string): string {
  return number.replace(/[\s-]/g, '');
}
