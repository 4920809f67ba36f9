// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { DECISION, POLLS, TO_NULL, type Columns } from '../../platform/personal-data';

export const chargeColumns = {
  charges: {
    id: 'stays',
    merchantUid: 'stays',
    kind: 'stays',
    customerUid: 'stays',
    scheduleAt: 'stays',
    status: 'stays',
    svcUid: 'stays',
    reason: TO_NULL,
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.Charge>,
};
