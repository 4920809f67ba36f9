// Why a refund that needs a second operator is not requested or not approved.

import { defineErrors } from '../../../platform/errors';

export const requestErrors = defineErrors({
  refund_request_not_found: {
    status: 404,
    message: 'There is no such refund request.',
    remedy: 'See the action queue.',
  },
  refund_request_waiting: {
    status: 409,
    message: 'A refund of this payment already waits for a second operator.',
    remedy: 'Resolve that one first.',
  },
  refund_request_outdated: {
    status: 409,
    message: 'The balance of the payment has changed since the refund was requested. Nothing was refunded.',
    remedy: 'Reject the request, and request the refund again.',
  },
  refund_amount_unknown: {
    status: 409,
    message:
      'REFUND_LIMIT applies, and the service shows no whole amount of this payment. Nothing was refunded.',
    remedy: 'Refund it in the service’s console, and resolve the discrepancy as refunded.',
  },
  same_operator: {
    status: 403,
    message: 'The requester cannot approve the refund.',
    remedy: 'Ask another operator.',
  },
  approver_not_independent: {
    status: 403,
    message:
      'Within a day, the requester or the approver has made or changed the account of the other, or one person those of both.',
    remedy: 'Ask an operator whose account was not changed, or wait for a day after the change.',
  },
  approver_unknown: {
    status: 403,
    message: 'Without accounts nobody knows whether the approver is a second person.',
    remedy: 'Make an account for each operator at /operator/accounts, and request the refund again.',
  },
});
