// Why a charge was not made or not found.

import { defineErrors } from '../../platform/errors';

export const chargeErrors = defineErrors({
  payment_declined: {
    status: 402,
    message:
      'The card was declined; the message is the card company’s reason where there is one (§2.4, fail_reason).',
    remedy: 'Ask for another card; the order can be charged again.',
  },
  payment_refused: {
    status: 402,
    message: 'The payment service refused the payment; the message is its own.',
    remedy: 'Read the message; the order can be charged again.',
  },
  foreign_billing_key: {
    status: 403,
    message: 'The billing key belongs to another member than the order.',
    remedy: 'Charge with a key of the order’s member.',
  },
  charge_not_found: {
    status: 404,
    message: 'There is no charge with this id.',
    remedy: 'See GET /api/charges.',
  },
  order_not_payable: {
    status: 409,
    message: 'The order is paid, was cancelled, or is closed.',
    remedy: 'Read the order: only one that is open, failed or awaits a deposit can be charged.',
  },
  order_scheduled: {
    status: 409,
    message: 'A payment of this order is scheduled.',
    remedy: 'Revoke the schedule first.',
  },
  charge_pending: {
    status: 409,
    message: 'The outcome of a charge of this order is not known yet.',
    remedy: 'Wait and read the order again: the payment service is being asked.',
  },
  charge_needs_review: {
    status: 409,
    message: 'A charge led to a payment that does not fit its order.',
    remedy: 'See GET /api/discrepancies; a person decides with POST /api/charges/{id}/settle.',
  },
  billing_key_not_active: {
    status: 409,
    message: 'The billing key cannot pay now: it is pending, failed, removed, or needs review.',
    remedy: 'See GET /api/billing-keys; use another key.',
  },
  customer_uid_in_use: {
    status: 409,
    message: 'The customer_uid has a billing key, or one is being issued.',
    remedy: 'Take a new customer_uid for another card (§1).',
  },
  payment_not_judged: {
    status: 409,
    message:
      'What the payment service shows of the payment cannot be judged now, so it may pay for an order. Nothing was sent.',
    remedy: 'Try again later; where a needs_review discrepancy names the payment, refund that one.',
  },
  card_tried_too_often: {
    status: 429,
    // Another one may be said: the rest of the 24 hours.
    retryAfterSeconds: 3600,
    message: 'This card was tried too often in 24 hours, here or with the card form. Nothing was sent.',
    remedy: 'Ask for another card, or try again after Retry-After seconds.',
  },
});
