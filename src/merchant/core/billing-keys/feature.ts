// Which member holds which billing key, and each attempt to get one.

import type { Feature } from '../../platform/http/feature-type';
import { recoveryJob } from '../attempts/recover-attempt';
import { billingKeyRoutes } from './billing-key-routes';
import { issuanceRoutes } from './issuance-routes';
import { billingKeyCounters } from './metrics';
import { issuanceRecovery } from './recover-issuance';

export const billingKeys: Feature = {
  name: 'billing-keys',
  api: {
    'billing keys': {
      description: 'Cards that are stored at the service (§4.6, §4.7).',
      routes: [...billingKeyRoutes, ...issuanceRoutes],
    },
  },
  jobs: [recoveryJob(issuanceRecovery)],
  counters: billingKeyCounters,
};
