// A member's cards, as the page and the API show them. Pure.

import { z } from 'zod';
import { issuanceStatuses } from '../attempts/attempt-statuses';
import type { ListedCard } from '../billing-keys/billing-key-store';
import type { CardTexts } from './texts.ko';

type CardState = keyof CardTexts['list']['state'];

type CardRow = {
  customerUid: string;
  /** Null until the service has named it. */
  company: string | null;
  /** Masked. While a card is being checked, only its last four digits are known. Null for a wallet. */
  number: string | null;
  state: CardState;
  /** The same rule as in `charges/start-charges.ts`, so that a checkout offers no card that a charge would refuse. */
  isChargeable: boolean;
  createdAt: Date;
  /** What happened to this card in the last minute, shown on the page. */
  news: 'registered' | 'replaced' | null;
  /**
   * Another card of this member has the same company and masked number (two customer_uids, one card), and neither is
   * being removed.
   */
  isTwice: boolean;
};

/** How long news is shown. */
export const NEWS_FOR_MS = 60_000;

export function toCardList(cards: readonly ListedCard[], now: Date): CardRow[] {
  return cards.map((card) => {
    const latest = card.issuances[0];
    return {
      customerUid: card.customerUid,
      company: card.cardName,
      number: card.cardNumber ?? (latest ? `****-****-****-${latest.cardLastFour}` : null),
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

function newsOf({ status, createdAt, issuances: [latest] }: ListedCard, now: Date): CardRow['news'] {
  // A key of the payment window has no issuance of ours.
  const since = latest?.status === 'issued' ? latest.resolvedAt : latest ? null : createdAt;
  if (status !== 'active' || since === null) return null;
  // In the sandbox, a clock that was put back finds rows of a later time.
  if (Math.abs(now.getTime() - since.getTime()) >= NEWS_FOR_MS) return null;
  return latest?.replacesKey ? 'replaced' : 'registered';
}

function looksSame(one: ListedCard, other: ListedCard): boolean {
  if (one.status === 'removing' || other.status === 'removing') return false;
  return one.cardNumber !== null && one.cardNumber === other.cardNumber && one.cardName === other.cardName;
}

const STATES = ['active', 'pending', 'replacing', 'needs_review', 'removing'] as const satisfies CardState[];

const cardSchema = z
  .strictObject({
    customer_uid: z.string(),
    card_name: z
      .string()
      .nullable()
      .meta({ description: 'Of the card company or the wallet; null until the service has sent it.' }),
    card_number: z.string().nullable().meta({ description: 'Masked; null for a wallet.' }),
    state: z.enum(STATES).meta({
      description:
        'What the page shows: `pending` is being checked, `replacing` waits for the outcome of a replacement, ' +
        '`needs_review` is for a person, `removing` is on its way out.',
    }),
    chargeable: z.boolean().meta({
      description: 'Whether it can pay now. While `replacing` it can, with one of the two cards.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Card', description: 'A registered card of a member.' });

export const cardListSchema = z.array(cardSchema);

/** In the order of the page: the newest first. */
export function cardListJson(cards: readonly ListedCard[], now: Date): z.output<typeof cardListSchema> {
  return toCardList(cards, now).map(({ customerUid, company, number, state, isChargeable, createdAt }) => ({
    customer_uid: customerUid,
    card_name: company,
    card_number: number,
    state,
    chargeable: isChargeable,
    created_at: createdAt.toISOString(),
  }));
}

export const cardListExample = [
  {
    customer_uid: 'member-7-card-1',
    card_name: '현대카드',
    card_number: '4242-42**-****-4242',
    state: 'active',
    chargeable: true,
    created_at: '2026-11-20T05:12:40.000Z',
  },
] satisfies z.input<typeof cardListSchema>;
