// What the routes of billing keys and issuances refuse.

import { defineErrors } from '../../platform/errors';

export const billingKeyErrors = defineErrors({
  billing_key_not_found: {
    status: 404,
    message: 'Neither the payment service nor we know this customer_uid.',
    remedy: 'Check the customer_uid.',
  },
  issuance_not_found: {
    status: 404,
    message: 'There is no issuance with this id.',
    remedy: 'See GET /api/issuances.',
  },
});
