// Cards that were not tried. The card form and key-in payments count here.

import type { CounterRows } from '../../platform/metrics';

export const billingKeyCounters = {
  cardLimits: {
    name: 'merchant_card_limits_total',
    help: 'Cards that were not tried because of a limit, by limit: member, address, card, form (too soon), cards_held, network, challenge.',
    labels: ['limit'],
  },
} as const satisfies CounterRows;
