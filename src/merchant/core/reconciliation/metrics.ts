// What reconciliation counts.

import type { CounterRows } from '../../platform/metrics';

export const reconciliationCounters = {
  runs: {
    name: 'merchant_reconciliations_total',
    help: 'Reconciliations by result: complete, incomplete (a list was not read to its end), not_possible.',
    labels: ['result'],
  },
  repaired: {
    name: 'merchant_reconciliation_repaired_total',
    help: 'Payments stored by reconciliation, by list: their notification was lost, or is never sent.',
    labels: ['list'],
  },
} as const satisfies CounterRows;
