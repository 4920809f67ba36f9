// What the delivery of events counts.

import type { CounterRows } from '../../platform/metrics';

export const eventCounters = {
  deliveries: {
    name: 'merchant_event_deliveries_total',
    help: 'Attempts to deliver an event of an order, by target and result (delivered, or why not).',
    labels: ['target', 'result'],
  },
} as const satisfies CounterRows;
