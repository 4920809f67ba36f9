// Which member holds which billing key, and each attempt to get one.

import type { Feature } from '../../platform/http/feature-type';
import { attemptQueue } from '../attempts/attempt-queue';
import { recoveryJob } from '../attempts/recover-attempt';
import { billingKeyRoutes } from './billing-key-routes';
import { billingKeyErrors } from './errors';
import { issuanceJson, issuanceList, issuanceRoutes } from './issuance-list';
import { findStuckIssuances } from './issuance-store';
import { billingKeyCounters } from './metrics';
import { billingKeyColumns } from './personal-data';
import { issuanceRecovery } from './recover-issuance';

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
  personalData: billingKeyColumns,
  actionQueue: attemptQueue({
    kind: 'issuances',
    subject: 'issuance',
    list: issuanceList,
    findStuck: async (context) => (await findStuckIssuances(context)).map(issuanceJson),
  }),
  counters: billingKeyCounters,
};
