// POST /api/payments/{svc_uid}/cancel with {reason}, or {reason, amount, checksum} for a part of the payment; with
// {refund_account} for a deposit to a virtual account.

import { HttpError, refusedByService } from '../errors';
import { apiRoute, type ApiRoute } from '../http/api-route';
import { isSvcUid } from '../payment-service/identifiers';
import { paymentJson } from '../payments/payment-schema';
import { findPayment } from '../payments/payment-store';
import { refundedExample, refundExample } from './refund-examples';
import { refundPayment, type RefundAccountProblem, type RefundOutcome } from './refund-payment';
import { refundedSchema, refundSchema } from './refund-schema';

export const refundRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/payments/{svc_uid}/cancel',
    summary: 'Give the money of a payment back, in full or in part',
    description:
      'The whole of what is left, or `amount` of it with the balance in `checksum`: the same request sent twice finds another balance, and refunds once.',
    body: refundSchema,
    example: refundExample,
    answers: {
      200: { description: 'Cancelled.', schema: refundedSchema, example: refundedExample },
      202: { description: 'The answer was lost; its outcome is polled for.', schema: refundedSchema },
    },
    errors: [
      'payment_not_found',
      'refund_refused',
      'nothing_to_cancel',
      'balance_differs',
      'amount_exceeds_balance',
      'refund_pending',
      'refund_needs_review',
      'service_unavailable',
    ],
    async handle(context, { params, body, log }) {
      const { svc_uid: svcUid } = params;
      const { amount = null, reason, checksum = null, refund_account: refundAccount = null } = body;
      if (!isSvcUid(svcUid)) throw new HttpError('payment_not_found');
      const result = await refundPayment(context, { svcUid, amount, reason, checksum, refundAccount });
      log({ svc_uid: svcUid, outcome: result.kind });
      const { status, outcome } = refundResponse(result);
      const payment = await findPayment(context, svcUid);
      if (!payment) throw new HttpError('payment_not_found');
      return { status, body: { outcome, payment: paymentJson(payment) } };
    },
  }),
];

const ACCOUNT_PROBLEMS: Record<RefundAccountProblem, string> = {
  refund_account_missing:
    'refund_account: holder, bank and account are required, because the payment was a deposit to a virtual account (§4.9)',
  refund_account_unused:
    'refund_account: is for deposits to a virtual account, and this payment was made otherwise',
};

/** @throws HttpError for everything that was not refunded */
function refundResponse(result: RefundOutcome) {
  switch (result.kind) {
    case 'refunded':
      return { status: 200, outcome: 'cancelled' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'refused':
      throw refusedByService('refund_refused', result.serviceMessage);
    case 'not_executed':
      throw new HttpError('service_unavailable');
    case 'refund_account_missing':
    case 'refund_account_unused':
      throw new HttpError('invalid_request', ACCOUNT_PROBLEMS[result.kind]);
    case 'payment_not_found':
    case 'nothing_to_cancel':
    case 'balance_differs':
    case 'amount_exceeds_balance':
    case 'refund_pending':
    case 'refund_needs_review':
      throw new HttpError(result.kind);
  }
}
