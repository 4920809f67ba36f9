// Why money was not given back.

import { defineErrors } from '../../platform/errors';

export const refundErrors = defineErrors({
  refund_refused: {
    status: 400,
    message: 'The payment service refused the refund; the message is its own.',
    remedy: 'Read the message and the payment.',
  },
  refund_not_found: {
    status: 404,
    message: 'There is no refund with this id.',
    remedy: 'See GET /api/refunds.',
  },
  nothing_to_cancel: {
    status: 409,
    message: 'The payment holds no money.',
    remedy: 'Read the payment: it was never paid, or was refunded already.',
  },
  balance_differs: {
    status: 409,
    message: 'The payment holds another balance than the checksum says.',
    remedy: 'Read the payment: a part of it was refunded before.',
  },
  amount_exceeds_balance: {
    status: 409,
    message: 'The refund is larger than what the payment holds.',
    remedy: 'Refund what is left, or less.',
  },
  refund_pending: {
    status: 409,
    message: 'The outcome of a refund of this payment is not known yet.',
    remedy: 'Wait and read the payment again: the payment service is being asked.',
  },
  refund_needs_review: {
    status: 409,
    message: 'The payment shows another cancelled amount than was asked for.',
    remedy: 'Compare the payment with the refund; a person decides with POST /api/refunds/{id}/settle.',
  },
  discrepancy_not_refundable: {
    status: 409,
    message: 'A discrepancy of this kind names no money that could go back.',
    remedy: 'Settle it with POST /api/discrepancies/{id}/resolve.',
  },
  payment_pays_order: {
    status: 409,
    message: 'The payment pays for an order: it is not given back as a discrepancy. Nothing was sent.',
    remedy: 'Read the order. To give it back all the same: POST /api/payments/{svc_uid}/cancel.',
  },
});
