// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { DECISION, POLLS, TO_NULL, type Columns } from '../../platform/personal-data';

export const refundColumns = {
  refunds: {
    id: 'stays',
    svcUid: 'stays',
    discrepancyId: 'stays',
    amount: 'stays',
    cancelledBefore: 'stays',
    cancelReason: 'typed',
    status: 'stays',
    reason: TO_NULL,
    requestedBy: 'typed',
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.Refund>,
};
