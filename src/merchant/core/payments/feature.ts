// Fetches, verifies and records payments. What does not fit becomes a discrepancy.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { TO_NULL, WRITTEN, type Columns } from '../../platform/personal-data';
import { paymentRoutes, servicePaymentRoutes } from './payment-routes';
import { paymentErrors } from './payment-schema';

/** Personal data in the tables of this feature. */
const paymentColumns = {
  payments: {
    svcUid: 'stays',
    merchantUid: 'stays',
    status: 'stays',
    amount: 'stays',
    cancelAmount: 'stays',
    currency: 'stays',
    payMethod: 'stays',
    pgProvider: 'stays',
    pgTid: 'stays',
    applyNum: 'stays',
    cardName: 'stays',
    cardNumber: TO_NULL,
    customerUid: 'stays',
    failReason: TO_NULL,
    cancelReason: 'typed',
    receiptUrl: 'stays',
    startedAt: 'stays',
    paidAt: 'stays',
    failedAt: 'stays',
    cancelledAt: 'stays',
    vbankCode: 'stays',
    vbankName: 'stays',
    // The account belongs to one buyer, and the holder may be the buyer.
    vbankNum: TO_NULL,
    vbankHolder: TO_NULL,
    vbankDate: 'stays',
    record: 'fields',
    counted: 'stays',
    fetchedAt: 'stays',
    regressedAt: 'stays',
    ...WRITTEN,
  } satisfies Columns<rows.Payment>,
};

export const payments: Feature = {
  name: 'payments',
  errors: paymentErrors,
  pathParameters: {
    svc_uid: { description: 'The service’s id of the payment (§2.4).', example: 'svc_20261121a7f3' },
  },
  api: {
    payments: {
      description: 'Verified payments, and those that the service lists (§4.4 to §4.6).',
      routes: [...paymentRoutes, ...servicePaymentRoutes],
    },
  },
  personalData: paymentColumns,
};
