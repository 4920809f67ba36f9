// Gives money back, once.

import type { Feature } from '../../platform/http/feature-type';
import { attemptQueue } from '../attempts/attempt-queue';
import { recoveryJob } from '../attempts/recover-attempt';
import { discrepancyRefundRoutes } from './discrepancy-refund-routes';
import { refundErrors } from './errors';
import { refundColumns } from './personal-data';
import { refundRecovery } from './recover-refund';
import { listRefunds, refundListRoutes } from './refund-list-routes';
import { refundJson } from './refund-list-schema';
import { findStuckRefunds } from './refund-list-store';
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
  actionQueue: attemptQueue({
    kind: 'refunds',
    subject: 'refund',
    list: listRefunds,
    findStuck: async (context) => (await findStuckRefunds(context)).map(refundJson),
  }),
};
