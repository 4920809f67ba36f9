// A member's cards as the page and the API show them. Pure.

import { issuanceStatuses } from '../attempts/attempt-statuses';
import type { ListedCard } from '../billing-keys/billing-key-store';
import type { CardTexts } from './texts.ko';

export type CardState = keyof CardTexts['list']['state'];

export type CardRow = {
  customerUid: string;
  /** Null while the service has not named it. */
  company: string | null;
  /** Masked. Of a card that is still being checked we have the last four digits only. */
  number: string;
  state: CardState;
  /** The rule of `billing-keys/check-billing-key.ts`, so that a checkout offers no card that a charge would refuse. */
  isChargeable: boolean;
  createdAt: Date;
  /** What was done with this card in the last minute: the page says so. */
  news: 'registered' | 'replaced' | null;
  /**
   * Another card of this member looks the same by company and masked number (two customer_uids, one card), and neither
   * is being removed.
   */
  isTwice: boolean;
};

/** What was done is told for so long. */
export const NEWS_FOR_MS = 60_000;

export function toCardList(cards: readonly ListedCard[], now: Date): CardRow[] {
  return cards.map((card) => {
    const latest = card.issuances[0];
    return {
      customerUid: card.customerUid,
      company: card.cardName,
      number: card.cardNumber ?? `****-****-****-${latest?.cardLastFour ?? '****'}`,
      state: stateOf(card),
      isChargeable: card.status === 'active',
      createdAt: card.createdAt,
      news: newsOf(card, now),
      isTwice: cards.some((other) => other !== card && looksSame(other, card)),
    };
  });
}

function stateOf({ status, issuances }: ListedCard): CardState {
  const [latest] = issuances;
  if (status === 'pending') return 'pending';
  if (status === 'needs_review' || status === 'removing') return status;
  return latest && issuanceStatuses.open.has(latest.status) ? 'replacing' : 'active';
}

function newsOf({ status, issuances: [latest] }: ListedCard, now: Date): CardRow['news'] {
  if (status !== 'active' || latest?.status !== 'issued' || latest.resolvedAt === null) return null;
  if (now.getTime() - latest.resolvedAt.getTime() >= NEWS_FOR_MS) return null;
  return latest.replacesKey ? 'replaced' : 'registered';
}

function looksSame(one: ListedCard, other: ListedCard): boolean {
  if (one.status === 'removing' || other.status === 'removing') return false;
  return one.cardNumber !== null && one.cardNumber === other.cardNumber && one.cardName === other.cardName;
}
