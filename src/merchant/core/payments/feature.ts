// Fetches, verifies and records payments. What does not fit becomes a discrepancy, for a person to resolve.

import type * as rows from '../../../generated/prisma/client';
import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { discrepancyKinds } from './discrepancy-kinds';
import { discrepancyQueue, discrepancyRoutes } from './discrepancy-list';
import { countOpenDiscrepancies } from './discrepancy-store';
import { paymentCounters } from './note-discrepancy';
import { paymentRoutes, servicePaymentRoutes } from './payment-routes';
import { paymentErrors } from './payment-schema';
import { paymentRow } from './row';

/** Personal data in the tables of this feature. */
const paymentColumns = {
  payments: paymentRow.erasure,
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

export const payments: Feature = {
  name: 'payments',
  errors: paymentErrors,
  pathParameters: {
    svc_uid: { description: 'The service’s id of the payment (§2.4).', example: 'svc_20261121a7f3' },
  },
  api: {
    payments: {
      description: 'Verified payments, and those that the service lists (§4.4 to §4.6).',
      routes: [...paymentRoutes, ...servicePaymentRoutes],
    },
    discrepancies: {
      description: 'Payments that do not match, for a person to decide.',
      routes: discrepancyRoutes,
    },
  },
  personalData: paymentColumns,
  counters: paymentCounters,
  gauges,
  actionQueue: discrepancyQueue,
};
