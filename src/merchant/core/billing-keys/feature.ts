// Billing keys, their members, and each attempt to issue one.

import type { Feature } from '../../platform/http/feature-type';
import { recoveryJob } from '../attempts/recover-attempt';
import { attemptQueue } from '../attempts/report-review';
import { billingKeyRoutes, issuanceList, issuanceRoutes } from './billing-key-routes';
import { billingKeyErrors, issuanceJson } from './billing-key-schema';
import { findStuckIssuances } from './issuance-store';
import { billingKeyCounters } from './limit-card';
import { issuanceRecovery } from './recover-issuance';
import { billingKeyRow, issuanceRow } from './row';

export const billingKeys: Feature = {
  name: 'billing-keys',
  errors: billingKeyErrors,
  pathParameters: {
    customer_uid: {
      description: 'The merchant’s own id of the billing key (§1).',
      example: 'member-7-card-1',
    },
  },
  api: {
    'billing keys': {
      description: 'Cards that are stored at the service (§4.6, §4.7).',
      routes: [...billingKeyRoutes, ...issuanceRoutes],
    },
  },
  jobs: [recoveryJob(issuanceRecovery)],
  personalData: { billing_keys: billingKeyRow.erasure, billing_key_issuances: issuanceRow.erasure },
  actionQueue: attemptQueue({
    kind: 'issuances',
    subject: 'issuance',
    list: issuanceList,
    findStuck: async (context) => (await findStuckIssuances(context)).map(issuanceJson),
  }),
  counters: billingKeyCounters,
};
