// Orders: what the merchant expects to be paid.

import type { Feature } from '../../platform/http/feature-type';
import { orderRoutes } from './order-routes';
import { orderErrors } from './order-schema';
import { orderRow } from './row';
import { orderSettings } from './settings';

export const orders: Feature = {
  name: 'orders',
  settings: orderSettings,
  errors: orderErrors,
  pathParameters: {
    merchant_uid: { description: 'The merchant’s own id of the order.', example: 'order-1001' },
  },
  api: {
    orders: {
      description: 'What the merchant expects to be paid, and whether it was.',
      routes: orderRoutes,
    },
  },
  personalData: { orders: orderRow.erasure },
  keptInside: ['/api/orders'],
};
