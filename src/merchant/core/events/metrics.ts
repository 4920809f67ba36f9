// What the delivery of events counts.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { readEventGauges } from './event-store';

export const eventCounters = {
  deliveries: {
    name: 'merchant_event_deliveries_total',
    help: 'Attempts to deliver an event of an order, by target and result (delivered, or why not).',
    labels: ['target', 'result'],
  },
} as const satisfies CounterRows;

export const eventGauges: Gauges = {
  read: readEventGauges,
  rows: {
    merchant_events_undelivered: {
      help: `Events that were not delivered, by state: unpublished; waiting and given_up for each target. ${AT_MOST}`,
      label: { name: 'state', values: ['unpublished', 'waiting', 'given_up'] },
    },
    merchant_events_oldest_undelivered_age_seconds: {
      help: 'How long ago the oldest event happened that is unpublished or waiting; 0 where there is none.',
    },
  },
};
