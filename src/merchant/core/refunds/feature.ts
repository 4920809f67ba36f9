// Gives money back, once.

import type { Feature } from '../../platform/http/feature-type';
import { recoveryJob } from '../attempts/recover-attempt';
import { discrepancyRefundRoutes } from './discrepancy-refund-routes';
import { refundErrors } from './errors';
import { refundColumns } from './personal-data';
import { refundRecovery } from './recover-refund';
import { refundListRoutes } from './refund-list-routes';
import { refundRoutes } from './refund-routes';

export const refunds: Feature = {
  name: 'refunds',
  errors: refundErrors,
  api: {
    refunds: {
      description: 'Attempts to give money back.',
      routes: [...refundRoutes, ...refundListRoutes],
    },
    discrepancies: { routes: discrepancyRefundRoutes },
  },
  jobs: [recoveryJob(refundRecovery)],
  personalData: refundColumns,
};
