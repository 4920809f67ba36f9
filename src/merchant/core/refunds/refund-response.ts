// Maps the outcomes of refunds to API answers and errors, for a refund by svc_uid and for one of a discrepancy.

import type { Context } from '../../platform/context';
import { defineErrors, HttpError, RefusedError } from '../../platform/errors';
import { FieldError, platformErrors } from '../../platform/platform-errors';
import { attemptErrors } from '../attempts/decision';
import { bestEffort } from '../attempts/send-once';
import { chargeErrors } from '../charges/charge-response';
import { discrepancyErrors } from '../discrepancies/errors';
import { paymentFieldError } from '../orders/payment-fields-schema';
import { paymentErrors } from '../payments/payment-schema';
import type { DiscrepancyRefundOutcome } from './refund-discrepancy';
import type { RefundAccountProblem } from './refund-payment';

export const refundErrors = defineErrors({
  refund_refused: {
    status: 400,
    message: 'The payment service refused the refund; the message is from the service.',
    remedy: 'Read the message and the payment.',
  },
  refund_limit_exceeded: {
    status: 403,
    message:
      'The API key may not refund as much of this payment: its refund_limit is lower. Nothing was sent.',
    remedy: 'Refund it on the operator pages, or with a key that has a higher limit.',
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
    message: 'The balance of the payment differs from the checksum.',
    remedy: 'Read the payment again, and refund at most its balance.',
  },
  amount_exceeds_balance: {
    status: 409,
    message: 'The refund is larger than the balance of the payment.',
    remedy: 'Refund at most the balance.',
  },
  refund_pending: {
    status: 409,
    message: 'The outcome of a refund of this payment is not known yet.',
    remedy: 'Wait and read the payment again: the payment service is polled.',
  },
  refund_needs_review: {
    status: 409,
    message: 'The payment shows another cancelled amount than was requested.',
    remedy: 'Compare the payment with the refund; a person decides with POST /api/refunds/{id}/settle.',
  },
  svc_uid_unusable: {
    status: 409,
    message: 'The service shows this payment without an id that can be used in a request. Nothing was sent.',
    remedy: 'Refund it in the service’s console, then resolve the discrepancy as `refunded`.',
  },
  discrepancy_not_refundable: {
    status: 409,
    message: 'A discrepancy of this kind has no money to refund.',
    remedy: 'Resolve it with POST /api/discrepancies/{id}/resolve.',
  },
  payment_pays_order: {
    status: 409,
    message: 'The payment pays for an order, so it is not refunded as a discrepancy. Nothing was sent.',
    remedy: 'Read the order. To refund it anyway: POST /api/payments/{svc_uid}/cancel.',
  },
});

const ACCOUNT_PROBLEMS: Record<RefundAccountProblem, string> = {
  refund_account_missing:
    'holder, bank and account are required, because the payment was a deposit to a virtual account (§4.9)',
  refund_account_unused: 'is for deposits to a virtual account, and this payment was made otherwise',
};

/**
 * Whether the money was refunded, or may have been.
 * @throws HttpError if it was not refunded
 */
export function refundResponse(result: DiscrepancyRefundOutcome): 'refunded' | 'unknown' {
  switch (result.kind) {
    case 'refunded':
    case 'unknown':
      return result.kind;
    case 'refused':
      throw new RefusedError(refundErrors.refund_refused, result.serviceMessage);
    case 'not_executed':
      throw new HttpError(platformErrors.service_unavailable);
    case 'refund_account_missing':
    case 'refund_account_unused':
      throw new FieldError('refund_account', ACCOUNT_PROBLEMS[result.kind]);
    case 'tax_free_exceeds_amount':
      throw paymentFieldError(result.kind);
    case 'payment_not_found':
      throw new HttpError(paymentErrors.payment_not_found);
    case 'already_settled':
      throw new HttpError(attemptErrors.already_settled);
    case 'not_found':
      throw new HttpError(discrepancyErrors.discrepancy_not_found);
    case 'payment_unknown':
      throw new HttpError(platformErrors.service_not_found);
    case 'payment_not_judged':
      throw new HttpError(chargeErrors.payment_not_judged);
    case 'nothing_to_cancel':
    case 'balance_differs':
    case 'amount_exceeds_balance':
    case 'refund_limit_exceeded':
    case 'refund_pending':
    case 'refund_needs_review':
    case 'svc_uid_unusable':
    case 'discrepancy_not_refundable':
    case 'payment_pays_order':
      throw new HttpError(refundErrors[result.kind]);
  }
}

/**
 * The row after a refund, for the answer. The money was refunded, or may have been, so a database that cannot be read
 * now is no error: the answer has the earlier row and the outcome `unknown`.
 */
export async function readAfterRefund<Row>(
  context: Context,
  outcome: 'refunded' | 'unknown',
  before: Row,
  read: () => Promise<Row | null>,
): Promise<{ outcome: 'refunded' | 'unknown'; row: Row }> {
  const row = await bestEffort(context, read);
  return row ? { outcome, row } : { outcome: 'unknown', row: before };
}
