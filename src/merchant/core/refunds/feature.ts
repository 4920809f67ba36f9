// Gives money back, once.

import type { Feature } from '../../platform/http/feature-type';
import { attemptQueue } from '../attempts/attempt-queue';
import { recoveryJob } from '../attempts/recover-attempt';
import { discrepancyRefundRoutes } from './discrepancy-refund-routes';
import { refundErrors } from './errors';
import { refundColumns } from './personal-data';
import { refundRecovery } from './recover-refund';
import { refundJson, refundList, refundListRoutes } from './refund-list';
import { refundRoutes } from './refund-routes';
import { findStuckRefunds } from './refund-store';

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
  actionQueue: attemptQueue({
    kind: 'refunds',
    subject: 'refund',
    list: refundList,
    findStuck: async (context) => (await findStuckRefunds(context)).map(refundJson),
  }),
};
