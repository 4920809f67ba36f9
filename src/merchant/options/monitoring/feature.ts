// Metrics for Prometheus.

import type { Feature } from '../../platform/http/feature-type';
import { metricsDescription, metricsRoutes } from './metrics-routes';

export const monitoring: Feature = {
  name: 'monitoring',
  probes: ({ context, readiness }) => metricsRoutes(context, readiness),
  api: { health: { endpoints: [metricsDescription] } },
};
