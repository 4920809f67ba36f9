// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { TO_EMPTY, WRITTEN, type Columns } from '../../platform/personal-data';

export const subscriptionColumns = {
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
    ...WRITTEN,
  } satisfies Columns<rows.Subscription>,
};
