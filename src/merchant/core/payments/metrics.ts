// What the check of payments counts.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { discrepancyKinds } from './discrepancy-kinds';
import { countOpenDiscrepancies } from './discrepancy-store';

export const paymentCounters = {
  notificationsPaced: {
    name: 'merchant_notifications_paced_total',
    help: 'Attempts to check a notification that were put off because too many name what we do not know.',
    labels: [],
  },
  looksPaced: {
    name: 'merchant_return_looks_paced_total',
    help: 'Visits of the return page for which the payment was not fetched because of a limit, by limit: address, order.',
    labels: ['limit'],
    fromZero: [{ limit: 'address' }, { limit: 'order' }],
  },
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
