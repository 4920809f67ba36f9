// Pages for those who resolve what did not fit.

import type { Feature } from '../../platform/http/feature-type';
import { operatorCounters } from './metrics';
import { operatorRoutes } from './operator-routes';
import { operatorColumns } from './personal-data';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const operator: Feature = {
  name: 'operator',
  pages: ({ context, views }) => operatorRoutes(context, views),
  personalData: operatorColumns,
  texts: { ko, en },
  counters: operatorCounters,
};
