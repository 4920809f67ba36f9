// How often cards are tried, counted for all processes of one database. The count of one card is shared by the card form and
// key-in payments: the password has two digits that are asked for, so that a hundred tries find them (K4 of docs/13-faults.md).

import type { Context } from '../../platform/context';
import { addTo, countAttemptIn, keyOf } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';

/** Cards that were not tried, by the card form and by key-in payments. */
export const billingKeyCounters = {
  cardLimits: {
    name: 'merchant_card_limits_total',
    help: 'Cards that were not tried because of a limit, by limit: member, address, card, form (too soon), cards_held, network, challenge.',
    labels: ['limit'],
  },
} as const satisfies CounterRows;

/** What is counted by whom: each has its limit in the config. */
export type CountedBy = 'member' | 'memberDaily' | 'address' | 'card';

/**
 * Counts one attempt, in one statement: of many at once no more pass than may.
 * Returns null if it may be made, else the seconds until the window is over.
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countAttempt(context: Context, by: CountedBy, whose: string): Promise<number | null> {
  return countAttemptIn(context, by, context.config.cardLimits[by], keyOf(context, by, whose));
}

/** Nothing was found out about the card, or money was paid with it. @throws DatabaseError */
export async function takeBackCardTry(context: Context, cardNumber: string): Promise<void> {
  await addTo(context, 'card', context.config.cardLimits.card, keyOf(context, 'card', cardNumber), -1);
}
