// Compares the service's lists with our rows, to find payments whose notification never arrived (§6.1, §6.3, §6.5).

import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { reconcileAsJob } from './reconcile';
import { reconciliationCounters } from './reconciliation-report';
import { readReconciliationGauges } from './reconciliation-store';

export const reconciliation: Feature = {
  name: 'reconciliation',
  jobs: [{ name: 'reconcile', crontab: EVERY_FIVE_MINUTES, priority: 3, run: reconcileAsJob }],
  personalData: {
    reconciliation_runs: {
      id: 'stays',
      comparedTo: 'stays',
      lookedBackAt: 'stays',
      finishedAt: 'stays',
      completeAt: 'stays',
    } satisfies Columns<rows.ReconciliationRun>,
  },
  counters: reconciliationCounters,
  gauges: {
    read: readReconciliationGauges,
    rows: {
      merchant_reconciliation_last_finished_timestamp_seconds: {
        help: 'When reconciliation last finished, complete or not (UNIX seconds); 0 if never.',
      },
      merchant_reconciliation_last_complete_timestamp_seconds: {
        help: 'When reconciliation last read every list completely (UNIX seconds); 0 if never.',
      },
    },
  },
};
