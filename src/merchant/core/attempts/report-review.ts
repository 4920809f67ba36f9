// An attempt that only a person can settle is worth a warning: one line and one count for each.

import type { Context } from '../../platform/context';
import type { AttemptKind } from './attempt-store';
import { attemptCounters } from './metrics';

/** @param reason why no program settles it */
export function reportReview(
  { logger, metrics }: Context,
  attempt: AttemptKind,
  id: string | bigint,
  reason: string,
): void {
  metrics.count(attemptCounters.reviews, { attempt });
  logger.warn({ event: 'needs_review', attempt, id: String(id), reason });
}
