// Pages for those who resolve what did not fit.

import type { Feature } from '../../platform/http/feature-type';
import { operatorCounters } from './metrics';
import { operatorRoutes } from './operator-routes';

export const operator: Feature = {
  name: 'operator',
  pages: ({ context, views }) => operatorRoutes(context, views),
  counters: operatorCounters,
};
