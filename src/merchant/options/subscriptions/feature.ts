// Plans that renew.

import type { Feature } from '../../platform/http/feature-type';
import { ADVANCE_SUBSCRIPTIONS, advanceSubscriptions, wakeByEvent } from './advance-subscriptions';
import { memberSubscriptions } from './end-subscriptions';
import { subscriptionErrors } from './errors';
import { subscriptionGauges } from './metrics';
import { subscriptionColumns } from './personal-data';
import { subscriptionRoutes } from './subscription-routes';

export const subscriptions: Feature = {
  name: 'subscriptions',
  errors: subscriptionErrors,
  pathParameters: {
    subscription_id: { description: 'The merchant’s own id of the subscription.', example: 'tea-member-7' },
  },
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
  gauges: subscriptionGauges,
};
