// What the check of payments counts.

import type { CounterRows } from '../../platform/metrics';

export const paymentCounters = {
  discrepancies: {
    name: 'merchant_discrepancies_total',
    help: 'Discrepancies that were noted, by kind. Seen again while it is open, one is not counted again.',
    labels: ['kind'],
  },
} as const satisfies CounterRows;
