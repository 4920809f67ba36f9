// Sends calls once, polls for lost outcomes, and lets a person decide, for issuances, charges and refunds.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { attemptErrors } from './decision';
import { enqueueUnresolvedAttempts } from './recover-attempt';
import { attemptCounters, attemptGauges } from './report-review';

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
  personalData: {
    service_pauses: { line: 'stays', until: 'stays' } satisfies Columns<rows.ServicePause>,
  },
  counters: attemptCounters,
  gauges: attemptGauges,
};
