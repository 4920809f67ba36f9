// The shop is told what has changed.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { deliverEvents, tellFeatures } from './deliver-events';
import { eventErrors } from './errors';
import { eventRoutes } from './event-list';
import { eventCounters, eventGauges } from './metrics';
import { DELIVER_EVENTS } from './save-events';

/** What of a member stands in the tables of this feature. */
const eventColumns = {
  events: {
    id: 'stays',
    stream: 'stays',
    version: 'stays',
    type: 'stays',
    data: 'fields',
    occurredAt: 'stays',
    position: 'stays',
  } satisfies Columns<rows.Event>,
  event_deliveries: {
    eventId: 'stays',
    target: 'stays',
    stream: 'stays',
    attempts: 'stays',
    nextAttemptAt: 'stays',
    deliveredAt: 'stays',
    reason: 'stays',
  } satisfies Columns<rows.EventDelivery>,
};

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
