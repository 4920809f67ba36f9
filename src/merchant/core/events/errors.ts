// What the routes of events refuse.

import { defineErrors } from '../../platform/errors';

export const eventErrors = defineErrors({
  event_not_found: {
    status: 404,
    message: 'No event has this id.',
    remedy: 'See GET /api/events for those that there are.',
  },
});
