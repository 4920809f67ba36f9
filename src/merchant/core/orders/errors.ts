// Why an order is not found, not registered or not closed.

import { defineErrors } from '../../platform/errors';

export const orderErrors = defineErrors({
  order_not_found: {
    status: 404,
    message: 'No order has this merchant_uid.',
    remedy: 'Register it with POST /api/orders.',
  },
  order_not_closable: {
    status: 409,
    message: 'There is money for the order, or it is on its way.',
    remedy: 'See GET /api/orders/{merchant_uid}; give the money back, or revoke what is scheduled, instead.',
  },
  order_conflict: {
    status: 409,
    message: 'The merchant_uid is registered with another amount, currency or member.',
    remedy: 'Take a new merchant_uid for another order.',
  },
});
