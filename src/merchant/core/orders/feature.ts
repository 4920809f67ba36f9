// Orders: what the merchant expects to be paid.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { TO_NULL, WRITTEN, type Columns } from '../../platform/personal-data';
import { orderRoutes } from './order-routes';
import { orderErrors } from './order-schema';
import { orderSettings } from './settings';

/** Personal data in the tables of this feature. */
const orderColumns = {
  orders: {
    merchantUid: 'stays',
    name: 'stays',
    amount: 'stays',
    currency: 'stays',
    memberId: TO_NULL,
    cardQuota: 'stays',
    taxFree: 'stays',
    buyerName: TO_NULL,
    buyerEmail: TO_NULL,
    buyerTel: TO_NULL,
    buyerAddr: TO_NULL,
    buyerPostcode: TO_NULL,
    // The merchant's own data, which may contain anything.
    customData: TO_NULL,
    status: 'stays',
    version: 'stays',
    erasedAt: 'stays',
    ...WRITTEN,
  } satisfies Columns<rows.Order>,
};

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
  personalData: orderColumns,
};
