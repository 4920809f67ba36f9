// Is a card that was typed one that the member holds already? Pure. All that is known of a held card is its masked number
// and its last four digits, so the answer is "it looks like it", and only the member can say more.

import type { HeldCard } from './billing-key-store';
import { mayBeCard } from './judge-issuance';

/**
 * The same last four digits, and the same in every digit that the masked number shows. A held card without a masked
 * number is compared by its last four digits alone.
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
