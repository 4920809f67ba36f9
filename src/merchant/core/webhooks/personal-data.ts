// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const notificationColumns = {
  notifications: {
    id: 'stays',
    receivedAt: 'stays',
    generation: 'stays',
    svcUid: 'stays',
    merchantUid: 'stays',
    claimedStatus: 'stays',
    // Of the service, not of a person.
    sourceAddress: 'stays',
    requestId: 'stays',
    outcome: 'stays',
    reason: 'stays',
    attempts: 'stays',
    judgedAt: 'stays',
    nextAttemptAt: 'stays',
  } satisfies Columns<rows.Notification>,
};
