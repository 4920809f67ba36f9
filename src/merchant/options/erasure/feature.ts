// A member leaves, and what is old is deleted.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_MINUTE, ONCE_A_DAY } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { TO_NULL, type Columns } from '../../platform/personal-data';
import { deleteOldRows } from './delete-old-rows';
import { finishErasures } from './erase-member';
import { erasureRoutes } from './erasure-routes';

/** What of a member stands in the tables of this feature. */
const erasureColumns = {
  erasures: {
    id: 'stays',
    memberId: TO_NULL,
    requestedAt: 'stays',
    finishedAt: 'stays',
    nextAttemptAt: 'stays',
    toCheck: 'stays',
  } satisfies Columns<rows.Erasure>,
};

export const erasure: Feature = {
  name: 'erasure',
  api: { members: { routes: erasureRoutes } },
  jobs: [
    // One more try for every erasure of a member that was not finished.
    { name: 'finish-erasures', crontab: EVERY_MINUTE, priority: 1, run: finishErasures },
    // Deletes what has been kept for as long as KEEP_NOTIFICATIONS_DAYS says.
    { name: 'delete-old-rows', crontab: ONCE_A_DAY, priority: 3, run: deleteOldRows },
  ],
  personalData: erasureColumns,
};
