// Reports attempts that only a person can resolve: a log line and a count. Gauges show how many wait for a person, and how
// many are still polled.

import type { Context, Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { ATTEMPT_NAMES, readAttemptGauges, type AttemptName } from './attempt-store';

export const attemptCounters = {
  reviews: {
    name: 'merchant_reviews_total',
    help: 'Issuances, charges and refunds that began to need a person.',
    labels: ['attempt'],
  },
} as const satisfies CounterRows;

const BY_ATTEMPT = { name: 'attempt', values: ATTEMPT_NAMES };

export const attemptGauges: Gauges = {
  read: readAttemptGauges,
  rows: {
    merchant_attempts_needing_person: {
      help: `Attempts that need a person, by attempt: issuance, charge, refund. ${AT_MOST}`,
      label: BY_ATTEMPT,
      isQueue: true,
    },
    merchant_attempts_unresolved: {
      help: `Attempts whose outcome is not known yet, by attempt. ${AT_MOST}`,
      label: BY_ATTEMPT,
    },
    merchant_attempts_oldest_unresolved_age_seconds: {
      help: 'Age of the oldest attempt whose outcome is not known yet, by attempt; 0 if there is none.',
      label: BY_ATTEMPT,
    },
  },
};

/** Logs one warning and counts one. @param reason why it cannot be resolved automatically */
export function reportReview(
  { logger, metrics }: Context,
  attempt: AttemptName,
  id: string | bigint,
  reason: string,
): void {
  metrics.count(attemptCounters.reviews, { attempt });
  logger.warn({ event: 'needs_review', attempt, id: String(id), reason });
}
