// Subscriptions.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { TO_EMPTY, WRITTEN, type Columns } from '../../platform/personal-data';
import { ADVANCE_SUBSCRIPTIONS, advanceSubscriptions, wakeByEvent } from './advance-subscriptions';
import { memberSubscriptions } from './cancel-subscription';
import { subscriptionGauges } from './count-store';
import { subscriptionQueue, subscriptionRecords } from './operator-records';
import { subscriptionRoutes } from './subscription-routes';
import { subscriptionErrors } from './subscription-schema';

/** Personal data in the tables of this feature. */
const subscriptionColumns = {
  subscriptions: {
    subscriptionId: 'stays',
    customerUid: 'stays',
    memberId: TO_EMPTY,
    name: 'stays',
    amount: 'stays',
    currency: 'stays',
    interval: 'stays',
    firstPaymentAt: 'stays',
    status: 'stays',
    cycle: 'stays',
    attempt: 'stays',
    paymentAt: 'stays',
    version: 'stays',
    endReason: 'stays',
    checkAt: 'stays',
    claimedUntil: 'stays',
    needsPerson: 'stays',
    needsPersonSince: 'stays',
    ...WRITTEN,
  } satisfies Columns<rows.Subscription>,
};

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
  actionQueue: subscriptionQueue,
  operatorRecords: subscriptionRecords,
};
