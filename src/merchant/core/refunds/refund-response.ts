// What a caller is told about a refund: one table for a payment by its svc_uid and for a discrepancy.

import type { Context } from '../../platform/context';
import { HttpError, RefusedError } from '../../platform/errors';
import { platformErrors } from '../../platform/platform-errors';
import { attemptErrors } from '../attempts/decision';
import { bestEffort } from '../attempts/send-once';
import { paymentErrors } from '../payments/errors';
import { refundErrors } from './errors';
import type { RefundOutcome } from './refund-payment';
import type { RefundAccountProblem } from './submit-refund';

const ACCOUNT_PROBLEMS: Record<RefundAccountProblem, string> = {
  refund_account_missing:
    'refund_account: holder, bank and account are required, because the payment was a deposit to a virtual account (§4.9)',
  refund_account_unused:
    'refund_account: is for deposits to a virtual account, and this payment was made otherwise',
};

/**
 * Whether the money is back, or may be.
 * @throws HttpError for everything that was not refunded
 */
export function refundResponse(result: RefundOutcome): 'refunded' | 'unknown' {
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
      throw new HttpError(platformErrors.invalid_request, ACCOUNT_PROBLEMS[result.kind]);
    case 'payment_not_found':
      throw new HttpError(paymentErrors.payment_not_found);
    case 'already_settled':
      throw new HttpError(attemptErrors.already_settled);
    case 'nothing_to_cancel':
    case 'balance_differs':
    case 'amount_exceeds_balance':
    case 'refund_pending':
    case 'refund_needs_review':
      throw new HttpError(refundErrors[result.kind]);
  }
}

/**
 * The row that a refund has changed, for its answer. The money is back, or may be, so that a database which cannot be read
 * now makes no error of it: the row is shown as it was before, and the outcome is unknown.
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
