// Measures against declined cards.

import type { CounterRows } from '../../platform/metrics';

export const cardCounters = {
  waves: {
    name: 'merchant_card_waves_total',
    help: 'Measures against a wave of declined cards that have begun: network (one has to wait), challenge.',
    labels: ['measure'],
    fromZero: [{ measure: 'network' }, { measure: 'challenge' }],
  },
  formClosures: {
    name: 'merchant_card_form_closures_total',
    help: 'How often a wave of declined cards has closed the card form.',
    labels: [],
  },
} as const satisfies CounterRows;
