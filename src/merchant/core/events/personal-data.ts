// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const eventColumns = {
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
