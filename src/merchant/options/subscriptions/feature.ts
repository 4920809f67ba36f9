// Plans that renew.

import type { Feature } from '../../platform/http/feature-type';
import { ADVANCE_SUBSCRIPTIONS, advanceSubscriptions, wakeByEvent } from './advance-subscriptions';
import { subscriptionGauges } from './metrics';
import { subscriptionRoutes } from './subscription-routes';

export const subscriptions: Feature = {
  name: 'subscriptions',
  api: {
    subscriptions: {
      description: 'Plans that renew, one order for each cycle.',
      routes: subscriptionRoutes,
    },
  },
  jobs: [{ ...ADVANCE_SUBSCRIPTIONS, run: advanceSubscriptions }],
  onEvent: wakeByEvent,
  gauges: subscriptionGauges,
};
