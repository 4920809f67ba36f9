// What was checked and does not fit, for a person to decide.

import { AT_MOST } from '../../platform/gauge-store';
import type { Feature } from '../../platform/http/feature-type';
import { discrepancyErrors } from './errors';
import { discrepancyKinds } from './kinds';
import { discrepancyCounters } from './report-discrepancy';
import { discrepancyQueue, discrepancyRoutes } from './routes';
import { discrepancyRow } from './row';
import { countOpenDiscrepancies } from './store';

export const discrepancies: Feature = {
  name: 'discrepancies',
  errors: discrepancyErrors,
  api: {
    discrepancies: {
      description: 'Payments that do not match, for a person to decide.',
      routes: discrepancyRoutes,
    },
  },
  personalData: { discrepancies: discrepancyRow.erasure },
  counters: discrepancyCounters,
  gauges: {
    read: countOpenDiscrepancies,
    rows: {
      merchant_discrepancies_open: {
        help: `Open discrepancies, by kind. ${AT_MOST}`,
        label: { name: 'kind', values: discrepancyKinds },
        isQueue: true,
      },
    },
  },
  actionQueue: discrepancyQueue,
};
