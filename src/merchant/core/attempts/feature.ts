// Sends once, polls for a lost outcome, and lets a person decide: for issuances, charges and refunds.

import type { Feature } from '../../platform/http/feature-type';
import { EVERY_MINUTE } from '../../platform/job-kind';
import { attemptCounters, attemptGauges } from './metrics';
import { enqueueUnresolvedAttempts } from './recover-attempt';

export const attempts: Feature = {
  name: 'attempts',
  jobs: [
    {
      name: 'recover-unresolved-attempts',
      crontab: EVERY_MINUTE,
      priority: 0,
      run: (context) => enqueueUnresolvedAttempts(context),
    },
  ],
  counters: attemptCounters,
  gauges: attemptGauges,
};
