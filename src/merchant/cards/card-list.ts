// A member's cards as the page shows them. Pure.

import type { Texts } from '../texts/ko';
import type { ListedCard } from './billing-key-store';

export type CardState = keyof Texts['list']['state'];

export type CardRow = {
  customerUid: string;
  /** Null while the service has not told it. */
  company: string | null;
  /** Masked; of a card that is still being checked, the last four digits are all we have. */
  number: string;
  state: CardState;
  /** Issued in the last minute: the page says so. */
  isNew: boolean;
  /** Another card of this member looks the same by company and masked number (two customer_uids, one card). */
  isTwice: boolean;
};

const NEW_FOR_MS = 60_000;

export function toCardList(cards: readonly ListedCard[], now: Date): CardRow[] {
  return cards.map((card) => {
    const latest = card.issuances[0];
    const issuedAt = latest?.status === 'issued' ? latest.resolvedAt : null;
    return {
      customerUid: card.customerUid,
      company: card.cardName,
      number: card.cardNumber ?? `****-****-****-${latest?.cardLastFour ?? '****'}`,
      state: stateOf(card),
      isNew: issuedAt !== null && now.getTime() - issuedAt.getTime() < NEW_FOR_MS,
      isTwice: cards.some((other) => other !== card && looksSame(other, card)),
    };
  });
}

function stateOf({ status, issuances }: ListedCard): CardState {
  const latest = issuances[0]?.status;
  const isOpen = latest === 'pending' || latest === 'unknown';
  if (status === 'pending') return 'pending';
  if (status === 'needs_review' || status === 'removing') return status;
  return isOpen ? 'replacing' : 'active';
}

function looksSame(one: ListedCard, other: ListedCard): boolean {
  return one.cardNumber !== null && one.cardNumber === other.cardNumber && one.cardName === other.cardName;
}
