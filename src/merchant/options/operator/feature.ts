// Pages for those who resolve what did not fit.

import type { Feature } from '../../platform/http/feature-type';
import { operatorRoutes } from './operator-routes';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const operator: Feature = {
  name: 'operator',
  pages: ({ context, views }) => operatorRoutes(context, views),
  texts: { ko, en },
};
