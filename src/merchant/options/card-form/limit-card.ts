// Limits how often one card is tried. The card form and key-in payments share the count: only two digits of the
// password are asked for, so a hundred tries would find them (K4 of docs/13-faults.md).

import type { Context } from '../../platform/context';
import { bucketOf, type Bucket } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { cardLimitsOf } from './settings';

/** Tries that a limit prevented, in the card form and in key-in payments. */
export const cardTryCounters = {
  cardLimits: {
    name: 'merchant_card_limits_total',
    help: 'Tries of a card that a limit refused, by limit: member, address, card, all, form (too soon), cards_held, network, challenge.',
    labels: ['limit'],
  },
} as const satisfies CounterRows;

/** The tries of one card. */
export const cardBucket = (context: Pick<Context, 'config'>, cardNumber: string): Bucket =>
  bucketOf(context, 'tries-card', cardLimitsOf(context.config).card, cardNumber);

/** Whether no limit applies to this card. */
export const isUnlimited = ({ config }: Pick<Context, 'config'>, cardNumber: string): boolean =>
  cardLimitsOf(config).unlimitedCards?.includes(cardNumber) ?? false;
