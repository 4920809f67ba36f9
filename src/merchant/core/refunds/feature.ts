// Refunds money, once.

import type { Feature } from '../../platform/http/feature-type';
import { attemptParts } from '../attempts/attempt-parts';
import { refundAttempt } from './attempt';
import { refundErrors } from './refund-response';
import { discrepancyRefundRoutes, refundRoutes } from './refund-routes';
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
  ...attemptParts(refundAttempt),
  personalData: { refunds: refundRow.erasure },
};
