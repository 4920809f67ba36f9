// The shop is told what has changed.

import type { Feature } from '../../platform/http/feature-type';
import { deliverEvents, tellFeatures } from './deliver-events';
import { eventErrors } from './errors';
import { eventRoutes } from './event-list';
import { eventCounters, eventGauges } from './metrics';
import { eventColumns } from './personal-data';
import { DELIVER_EVENTS } from './save-events';

export const events: Feature = {
  name: 'events',
  errors: eventErrors,
  pathParameters: {
    event_id: { description: 'The `id` of the event.', example: 'order-1001:1' },
  },
  api: {
    events: {
      description: 'What happened to orders, for systems that prefer to ask.',
      routes: eventRoutes,
    },
  },
  jobs: [
    { ...DELIVER_EVENTS, run: (context, stopping) => deliverEvents(context, tellFeatures, { stopping }) },
  ],
  personalData: eventColumns,
  counters: eventCounters,
  gauges: eventGauges,
};
