// Erasure of members, and deletion of old rows.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_MINUTE, ONCE_A_DAY } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { TO_NULL, type Columns } from '../../platform/personal-data';
import { finishErasures } from './erase-member';
import { erasureRoutes } from './erasure-routes';
import { deleteOldRows } from './retention-store';
import { erasureSettings } from './settings';

export const erasure: Feature = {
  name: 'erasure',
  settings: erasureSettings,
  api: { members: { routes: erasureRoutes } },
  jobs: [
    // Retries every unfinished erasure.
    { name: 'finish-erasures', crontab: EVERY_MINUTE, priority: 1, run: finishErasures },
    { name: 'delete-old-rows', crontab: ONCE_A_DAY, priority: 3, run: deleteOldRows },
  ],
  personalData: {
    erasures: {
      id: 'stays',
      memberId: TO_NULL,
      requestedAt: 'stays',
      finishedAt: 'stays',
      nextAttemptAt: 'stays',
      toCheck: 'stays',
    } satisfies Columns<rows.Erasure>,
  },
};
