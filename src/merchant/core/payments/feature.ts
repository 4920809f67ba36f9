// Fetches, verifies and records payments. What does not fit becomes a discrepancy.

import type { Feature } from '../../platform/http/feature-type';
import { paymentRoutes, servicePaymentRoutes } from './payment-routes';
import { paymentErrors } from './payment-schema';
import { paymentRow } from './row';

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
  personalData: { payments: paymentRow.erasure },
};
