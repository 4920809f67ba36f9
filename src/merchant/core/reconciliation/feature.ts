// Compares the lists of the service with our rows: it finds payments whose notification never came (§6.1, §6.3, §6.5).

import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { reconciliationCounters, reconciliationGauges } from './metrics';
import { reconcileAsJob } from './reconcile-job';

/** What of a member stands in the tables of this feature. */
const reconciliationColumns = {
  reconciliation_positions: {
    list: 'stays',
    comparedTo: 'stays',
    lookedBackAt: 'stays',
  } satisfies Columns<rows.ReconciliationPosition>,
  reconciliation_runs: {
    id: 'stays',
    finishedAt: 'stays',
    completeAt: 'stays',
  } satisfies Columns<rows.ReconciliationRun>,
  reconciliation_differences: {
    svcUid: 'stays',
    merchantUid: 'stays',
    listed: 'stays',
    orderVersion: 'stays',
    outcome: 'stays',
    reason: 'stays',
    attempts: 'stays',
    firstSeenAt: 'stays',
    nextAttemptAt: 'stays',
  } satisfies Columns<rows.ReconciliationDifference>,
};

export const reconciliation: Feature = {
  name: 'reconciliation',
  jobs: [{ name: 'reconcile', crontab: EVERY_FIVE_MINUTES, priority: 3, run: reconcileAsJob }],
  personalData: reconciliationColumns,
  counters: reconciliationCounters,
  gauges: reconciliationGauges,
};
