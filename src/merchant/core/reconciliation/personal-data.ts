// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const reconciliationColumns = {
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
