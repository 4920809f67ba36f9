// Refunds money, once.

import type { Feature } from '../../platform/http/feature-type';
import { recoveryJob } from '../attempts/recover-attempt';
import { attemptQueue } from '../attempts/report-review';
import { refundRecovery } from './recover-refund';
import { refundErrors } from './refund-response';
import { discrepancyRefundRoutes, refundList, refundRoutes } from './refund-routes';
import { refundJson } from './refund-schema';
import { findStuckRefunds } from './refund-store';
import { refundRow } from './row';

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
  jobs: [recoveryJob(refundRecovery)],
  personalData: { refunds: refundRow.erasure },
  actionQueue: attemptQueue({
    kind: 'refunds',
    subject: 'refund',
    list: refundList,
    findStuck: async (context) => (await findStuckRefunds(context)).map(refundJson),
  }),
};
