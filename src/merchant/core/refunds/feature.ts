// Refunds money, once.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { DECISION, POLLS, TO_NULL, type Columns } from '../../platform/personal-data';
import { attemptParts } from '../attempts/attempt-parts';
import { refundAttempt } from './attempt';
import { refundErrors } from './refund-response';
import { discrepancyRefundRoutes, refundRoutes } from './refund-routes';

/** Personal data in the tables of this feature. */
const refundColumns = {
  refunds: {
    id: 'stays',
    svcUid: 'stays',
    discrepancyId: 'stays',
    amount: 'stays',
    taxFree: 'stays',
    currency: 'stays',
    cancelledBefore: 'stays',
    cancelReason: 'typed',
    status: 'stays',
    reason: TO_NULL,
    requestedBy: 'typed',
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.Refund>,
};

export const refunds: Feature = {
  name: 'refunds',
  errors: refundErrors,
  api: {
    refunds: {
      description: 'Refunds of payments, each with its outcome.',
      routes: refundRoutes,
    },
    discrepancies: { routes: discrepancyRefundRoutes },
  },
  ...attemptParts(refundAttempt),
  personalData: refundColumns,
};
