// Plans that renew.

import type { Feature } from '../../platform/http/feature-type';
import { ADVANCE_SUBSCRIPTIONS, advanceSubscriptions, wakeByEvent } from './advance-subscriptions';
import { subscriptionErrors } from './errors';
import { subscriptionRoutes } from './subscription-routes';

export const subscriptions: Feature = {
  name: 'subscriptions',
  errors: subscriptionErrors,
  api: {
    subscriptions: {
      description: 'Plans that renew, one order for each cycle.',
      routes: subscriptionRoutes,
    },
  },
  jobs: [{ ...ADVANCE_SUBSCRIPTIONS, run: advanceSubscriptions }],
  onEvent: wakeByEvent,
};
