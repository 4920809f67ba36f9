// Tells the shop what has changed.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import { AT_MOST } from '../../platform/gauge-store';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { deliverEvents, eventCounters, giveUpRemovedHandlers } from './deliver-events';
import { eventErrors, eventRoutes } from './event-list';
import { readEventGauges } from './event-store';
import { DELIVER_EVENTS } from './save-events';
import { eventSettings } from './settings';

export const events: Feature = {
  name: 'events',
  settings: eventSettings,
  errors: eventErrors,
  pathParameters: {
    event_id: { description: 'The `id` of the event.', example: 'order-1001:1' },
  },
  api: {
    events: {
      description: 'What happened to orders, subscriptions and cards, for systems that prefer to ask.',
      routes: eventRoutes,
    },
  },
  jobs: [
    { ...DELIVER_EVENTS, run: (context, stopping) => deliverEvents(context, { stopping }) },
    {
      name: 'give-up-removed-handlers',
      crontab: EVERY_FIVE_MINUTES,
      priority: 3,
      run: (context) => giveUpRemovedHandlers(context),
    },
  ],
  personalData: {
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
  },
  counters: eventCounters,
  gauges: {
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
  },
};
