// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { TO_NULL, WRITTEN, type Columns } from '../../platform/personal-data';

export const orderColumns = {
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
    // The merchant's own data can hold anything.
    customData: TO_NULL,
    status: 'stays',
    version: 'stays',
    erasedAt: 'stays',
    ...WRITTEN,
  } satisfies Columns<rows.Order>,
};
