// What the routes of payments and discrepancies refuse.

import { defineErrors } from '../../platform/errors';

export const paymentErrors = defineErrors({
  payment_not_found: {
    status: 404,
    message: 'No verified payment has this svc_uid.',
    remedy: 'See GET /api/notifications and GET /api/discrepancies for what arrived and did not fit.',
  },
  discrepancy_not_found: {
    status: 404,
    message: 'There is no discrepancy with this id.',
    remedy: 'See GET /api/discrepancies.',
  },
});
