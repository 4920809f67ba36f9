// Plans that renew.

import type { Feature } from '../../platform/http/feature-type';
import { ADVANCE_SUBSCRIPTIONS, advanceSubscriptions, wakeByEvent } from './advance-subscriptions';
import { memberSubscriptions } from './end-subscriptions';
import { subscriptionColumns } from './personal-data';
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
  personalData: subscriptionColumns,
  memberRows: memberSubscriptions,
};
