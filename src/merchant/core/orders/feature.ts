// What you expect to be paid.

import type { Feature } from '../../platform/http/feature-type';
import { orderErrors } from './errors';
import { orderRoutes } from './order-routes';
import { orderColumns } from './personal-data';

export const orders: Feature = {
  name: 'orders',
  errors: orderErrors,
  pathParameters: {
    merchant_uid: { description: 'The merchant’s own id of the order.', example: 'order-1001' },
  },
  api: {
    orders: {
      description: 'What the merchant expects to be paid, and what became of it.',
      routes: orderRoutes,
    },
  },
  personalData: orderColumns,
};
