// Limits how often cards are tried, across all processes of one database. The card form and key-in payments share the
// count per card: only two digits of the password are asked for, so a hundred tries would find them (K4 of
// docs/13-faults.md).

import type { Context } from '../../platform/context';
import { addTo, countAttemptIn, keyOf } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';

/** Attempts that a limit prevented, in the card form and in key-in payments. */
export const cardTryCounters = {
  cardLimits: {
    name: 'merchant_card_limits_total',
    help: 'Tries of a card that a limit refused, by limit: member, address, card, form (too soon), cards_held, network, challenge.',
    labels: ['limit'],
  },
} as const satisfies CounterRows;

/** What attempts are counted by. Each has its limit in the config. */
export type CountedBy = 'member' | 'memberDaily' | 'address' | 'card';

/**
 * Counts one attempt in one statement, so that concurrent attempts cannot exceed the limit. Returns null if it is
 * allowed, otherwise the seconds until the window ends.
 * @throws DatabaseError if it could not be counted; the attempt must then not be made
 */
export async function countAttempt(context: Context, by: CountedBy, whose: string): Promise<number | null> {
  return countAttemptIn(context, by, context.config.cardLimits[by], keyOf(context, by, whose));
}

/** Whether no limit applies to this card. */
export const isUnlimited = ({ config }: Pick<Context, 'config'>, cardNumber: string): boolean =>
  config.cardLimits.unlimitedCards?.includes(cardNumber) ?? false;

/** Takes back one attempt, because nothing was learned about the card or it has paid. @throws DatabaseError */
export async function takeBackCardTry(context: Context, cardNumber: string): Promise<void> {
  await addTo(context, 'card', context.config.cardLimits.card, keyOf(context, 'card', cardNumber), -1);
}
