// What the return page counts.

import type { CounterRows } from '../../platform/metrics';

export const checkoutCounters = {
  looksPaced: {
    name: 'merchant_return_looks_paced_total',
    help: 'Visits of the return page for which the payment was not fetched because of a limit, by limit: address, order.',
    labels: ['limit'],
    fromZero: [{ limit: 'address' }, { limit: 'order' }],
  },
} as const satisfies CounterRows;
