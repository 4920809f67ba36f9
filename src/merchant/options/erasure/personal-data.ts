// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { TO_NULL, type Columns } from '../../platform/personal-data';

export const erasureColumns = {
  erasures: {
    id: 'stays',
    memberId: TO_NULL,
    requestedAt: 'stays',
    finishedAt: 'stays',
    nextAttemptAt: 'stays',
    toCheck: 'stays',
  } satisfies Columns<rows.Erasure>,
};
