// What was checked and does not fit, for a person to decide.

import type * as rows from '../../../generated/prisma/client';
import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { discrepancyErrors } from './errors';
import { discrepancyKinds } from './kinds';
import { discrepancyCounters } from './report-discrepancy';
import { discrepancyQueue, discrepancyRoutes } from './routes';
import { countOpenDiscrepancies } from './store';

/** Personal data in the tables of this feature. */
const discrepancyColumns = {
  discrepancies: {
    id: 'stays',
    kind: 'stays',
    svcUid: 'stays',
    merchantUid: 'stays',
    expected: 'stays',
    actual: 'stays',
    timesSeen: 'stays',
    firstSeenAt: 'stays',
    lastSeenAt: 'stays',
    resolvedAt: 'stays',
    resolution: 'stays',
    resolvedBy: 'typed',
    resolutionNote: 'typed',
  } satisfies Columns<rows.Discrepancy>,
};

const gauges: Gauges = {
  read: countOpenDiscrepancies,
  rows: {
    merchant_discrepancies_open: {
      help: `Open discrepancies, by kind. ${AT_MOST}`,
      label: { name: 'kind', values: discrepancyKinds },
      isQueue: true,
    },
  },
};

export const discrepancies: Feature = {
  name: 'discrepancies',
  errors: discrepancyErrors,
  api: {
    discrepancies: {
      description: 'Payments that do not match, for a person to decide.',
      routes: discrepancyRoutes,
    },
  },
  personalData: discrepancyColumns,
  counters: discrepancyCounters,
  gauges,
  actionQueue: discrepancyQueue,
};
