// What the check of payments counts.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { discrepancyKinds } from './discrepancy-kinds';
import { countOpenDiscrepancies } from './discrepancy-store';

export const paymentCounters = {
  discrepancies: {
    name: 'merchant_discrepancies_total',
    help: 'Discrepancies that were noted, by kind. Seen again while it is open, one is not counted again.',
    labels: ['kind'],
  },
} as const satisfies CounterRows;

export const paymentGauges: Gauges = {
  read: countOpenDiscrepancies,
  rows: {
    merchant_discrepancies_open: {
      help: `Discrepancies that nobody has settled, by kind. ${AT_MOST}`,
      label: { name: 'kind', values: discrepancyKinds },
    },
  },
};
