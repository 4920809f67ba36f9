// Payments that the service makes later.

import type { Feature } from '../../platform/http/feature-type';
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
};
