// What any server has: whether it is well, and its colours.

import type { Feature } from './feature-type';
import { healthDescriptions, healthRoutes } from './health-routes';
import { httpCounters } from './metrics';
import { themeRoutes } from './theme-routes';

export const server: Feature = {
  name: 'server',
  endpoints: ({ readiness }) => healthRoutes(readiness),
  api: {
    health: {
      description: 'Whether the server is well, and this description.',
      endpoints: healthDescriptions,
    },
  },
  pages: ({ context }) => themeRoutes(context),
  counters: httpCounters,
};
