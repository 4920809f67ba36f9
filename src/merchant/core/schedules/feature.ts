// Payments that the service makes later.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { REVOKE_SCHEDULES } from '../attempts/schedules-to-revoke';
import { revokeDueSchedules } from './revoke-due-schedules';
import { scheduleRoutes } from './schedule-routes';
import { scheduleErrors } from './schedule-schema';

export const schedules: Feature = {
  name: 'schedules',
  errors: scheduleErrors,
  api: {
    schedules: {
      description: 'Payments that the service makes later with a stored key (§4.8).',
      routes: scheduleRoutes,
    },
  },
  jobs: [{ ...REVOKE_SCHEDULES, run: revokeDueSchedules }],
  personalData: {
    schedule_revocations: {
      chargeId: 'stays',
      since: 'stays',
      nextTryAt: 'stays',
      reason: 'stays',
    } satisfies Columns<rows.ScheduleRevocation>,
  },
};
