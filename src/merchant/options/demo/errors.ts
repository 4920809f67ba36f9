// What the pages of the demo shop cannot do.

import { defineErrors } from '../../platform/errors';

export const demoErrors = defineErrors({
  cannot_cancel_now: {
    status: 503,
    message: 'The plan was not cancelled.',
    remedy: 'Try again later.',
    retryAfterSeconds: 30,
    page: { toForm: false },
  },
});
