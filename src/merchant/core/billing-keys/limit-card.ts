// How often one card number is tried in a day, with the card form and by key-in payments together: the password has two
// digits that are asked for, so that a hundred tries find them (K4 of docs/faults.md).

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

/** Also the name of the limit in the config, by which the card form counts (`cards/card-limit-store.ts`). */
const CARD = 'card';

/**
 * Counts one try before it is made.
 * @returns null if it may be made, else the seconds until the window is over
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countCardTry(context: Context, cardNumber: string): Promise<number | null> {
  return countAttemptIn(context, CARD, context.config.cardLimits.card, keyOf(context, CARD, cardNumber));
}

/** Nothing was found out about the card, or money was paid with it. @throws DatabaseError */
export async function takeBackCardTry(context: Context, cardNumber: string): Promise<void> {
  await addTo(context, CARD, context.config.cardLimits.card, keyOf(context, CARD, cardNumber), -1);
}
