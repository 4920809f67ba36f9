// What reconciliation counts.

import type { Gauges } from '../../platform/context';
import type { CounterRows } from '../../platform/metrics';
import { readReconciliationGauges } from './reconciliation-store';

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

export const reconciliationGauges: Gauges = {
  read: readReconciliationGauges,
  rows: {
    merchant_reconciliation_last_finished_timestamp_seconds: {
      help: 'When reconciliation last came to its end, complete or not (UNIX seconds); 0 where it never has.',
    },
    merchant_reconciliation_last_complete_timestamp_seconds: {
      help: 'When reconciliation last read every list to its end (UNIX seconds); 0 where it never has.',
    },
  },
};
