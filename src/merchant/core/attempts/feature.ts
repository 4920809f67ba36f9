// Sends once, polls for a lost outcome, and lets a person decide: for issuances, charges and refunds.

import { EVERY_MINUTE } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { attemptErrors } from './errors';
import { attemptCounters, attemptGauges } from './metrics';
import { attemptColumns } from './personal-data';
import { enqueueUnresolvedAttempts } from './recover-attempt';

export const attempts: Feature = {
  name: 'attempts',
  errors: attemptErrors,
  jobs: [
    {
      name: 'recover-unresolved-attempts',
      crontab: EVERY_MINUTE,
      priority: 0,
      run: (context) => enqueueUnresolvedAttempts(context),
    },
  ],
  personalData: attemptColumns,
  counters: attemptCounters,
  gauges: attemptGauges,
};
