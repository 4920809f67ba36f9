// The shop is told what has changed.

import type { Feature } from '../../platform/http/feature-type';
import { deliverEvents, tellFeatures } from './deliver-events';
import { DELIVER_EVENTS } from './deliver-soon';
import { eventRoutes } from './event-routes';
import { eventCounters, eventGauges } from './metrics';

export const events: Feature = {
  name: 'events',
  api: {
    events: {
      description: 'What happened to orders, for systems that prefer to ask.',
      routes: eventRoutes,
    },
  },
  jobs: [
    { ...DELIVER_EVENTS, run: (context, stopping) => deliverEvents(context, tellFeatures, { stopping }) },
  ],
  counters: eventCounters,
  gauges: eventGauges,
};
