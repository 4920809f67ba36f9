// What you expect to be paid.

import type { Feature } from '../../platform/http/feature-type';
import { orderRoutes } from './order-routes';
import { orderColumns } from './personal-data';

export const orders: Feature = {
  name: 'orders',
  api: {
    orders: {
      description: 'What the merchant expects to be paid, and what became of it.',
      routes: orderRoutes,
    },
  },
  personalData: orderColumns,
};
