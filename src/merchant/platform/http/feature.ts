// What any server has: whether it is well, and its colours.

import { platformErrors } from '../platform-errors';
import { en } from './error-texts.en';
import { ko } from './error-texts.ko';
import type { Feature } from './feature-type';
import { healthDescriptions, healthRoutes } from './health-routes';
import { httpCounters } from './metrics';
import { themeRoutes } from './theme-routes';

export const server: Feature = {
  name: 'server',
  errors: platformErrors,
  endpoints: ({ readiness }) => healthRoutes(readiness),
  pathParameters: {
    id: { description: 'The `id` that the list shows.', example: '17' },
  },
  api: {
    health: {
      description: 'Whether the server is well, and this description.',
      endpoints: healthDescriptions,
    },
  },
  pages: ({ context }) => themeRoutes(context),
  texts: { ko, en },
  counters: httpCounters,
};
