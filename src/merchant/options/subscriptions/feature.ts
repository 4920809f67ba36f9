// Subscriptions by the day, week, month or year: each cycle is an order that a schedule pays.

import type { Feature } from '../../platform/http/feature-type';
import {
  ADVANCE_SUBSCRIPTIONS,
  advanceSubscriptions,
  wakeByDecision,
  wakeByEvent,
} from './advance-subscriptions';
import { memberSubscriptions } from './cancel-subscription';
import { subscriptionGauges } from './count-store';
import { subscriptionOfOrder } from './cycle-store';
import { subscriptionQueue, subscriptionRecords } from './operator-records';
import { subscriptionRow } from './row';
import { subscriptionRoutes } from './subscription-routes';
import { subscriptionErrors } from './subscription-schema';

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
  onDecision: wakeByDecision,
  personalData: { subscriptions: subscriptionRow.erasure },
  subscriptionOfOrder,
  memberRows: memberSubscriptions,
  gauges: subscriptionGauges,
  actionQueue: subscriptionQueue,
  operatorRecords: subscriptionRecords,
};
