// A member's card as a checkout of the merchant sees it.

import { z } from 'zod';
import type { ListedCard } from '../billing-keys/billing-key-store';
import { toCardList, type CardState } from './card-list';

const STATES = ['active', 'pending', 'replacing', 'needs_review', 'removing'] as const satisfies CardState[];

const cardSchema = z
  .strictObject({
    customer_uid: z.string(),
    card_name: z.string().nullable().meta({ description: 'Null while the service has not named it.' }),
    card_number: z.string().meta({ description: 'Masked.' }),
    state: z.enum(STATES).meta({
      description:
        'What the page shows: `pending` is being checked, `replacing` waits for the outcome of a replacement, ' +
        '`needs_review` is for a person, `removing` is on its way out.',
    }),
    chargeable: z.boolean().meta({
      description: 'Whether it can pay now. While `replacing` it can: with one of the two cards.',
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
