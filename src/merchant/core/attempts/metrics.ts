// What issuances, charges and refunds count alike.

import type { CounterRows } from '../../platform/metrics';

export const attemptCounters = {
  reviews: {
    name: 'merchant_reviews_total',
    help: 'Issuances, charges and refunds that only a person can settle.',
    labels: ['attempt'],
  },
} as const satisfies CounterRows;
