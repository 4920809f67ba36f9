// What issuances, charges and refunds count alike.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { ATTEMPT_KINDS, readAttemptGauges } from './attempt-store';

export const attemptCounters = {
  reviews: {
    name: 'merchant_reviews_total',
    help: 'Issuances, charges and refunds that only a person can settle.',
    labels: ['attempt'],
  },
} as const satisfies CounterRows;

const BY_ATTEMPT = { name: 'attempt', values: ATTEMPT_KINDS };

export const attemptGauges: Gauges = {
  read: readAttemptGauges,
  rows: {
    merchant_attempts_needing_person: {
      help: `Attempts that only a person can settle, by attempt: issuance, charge, refund. ${AT_MOST}`,
      label: BY_ATTEMPT,
    },
    merchant_attempts_unresolved: {
      help: `Attempts whose call is under way or whose outcome is polled for, by attempt: issuance, charge, refund. ${AT_MOST}`,
      label: BY_ATTEMPT,
    },
    merchant_attempts_oldest_unresolved_age_seconds: {
      help: 'How long ago the oldest unresolved attempt began, by attempt: issuance, charge, refund; 0 where there is none.',
      label: BY_ATTEMPT,
    },
  },
};
