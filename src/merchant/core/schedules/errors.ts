// What the payment service refuses about a schedule.

import { defineErrors } from '../../platform/errors';

export const scheduleErrors = defineErrors({
  schedule_refused: {
    status: 400,
    message: 'The payment service refused the schedule; the message is its own.',
    remedy: 'Read the message; the orders can be scheduled or charged again.',
  },
  nothing_revoked: {
    status: 409,
    message: 'The payment service revoked nothing; the message is its own.',
    remedy: 'See GET /api/schedules: executed and revoked schedules stay as they are.',
  },
});
