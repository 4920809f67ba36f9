// A decision about an attempt or a discrepancy that is refused.

import { defineErrors } from '../../platform/errors';

export const attemptErrors = defineErrors({
  already_settled: {
    status: 409,
    message: 'It is settled already: by another person, by a poll, or by a payment that fits.',
    remedy: 'Read it again in its list: who, when and why stand there.',
  },
  attempt_pending: {
    status: 409,
    message: 'Its outcome is being found out.',
    remedy: 'Wait a minute and read it again in its list.',
  },
  service_contradicts: {
    status: 409,
    message: 'What the payment service shows contradicts this decision; the message says what it shows.',
    remedy: 'Compare it with the service’s own console, and decide by what is true. See docs/06-runbook.md.',
  },
});
