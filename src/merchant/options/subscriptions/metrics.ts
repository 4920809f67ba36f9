// Subscriptions that are not checked in time.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import { readSubscriptionGauges } from './subscription-store';

export const subscriptionGauges: Gauges = {
  read: readSubscriptionGauges,
  rows: {
    merchant_subscriptions_overdue: {
      help: `Subscriptions that should have been checked ten minutes ago or earlier. ${AT_MOST}`,
    },
  },
};
