// POST /api/payments/{svc_uid}/cancel with {reason}, or {reason, amount, checksum} for a part of the payment; with
// {refund_account} for a deposit to a virtual account.

import { isSvcUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { platformErrors } from '../../platform/platform-errors';
import { paymentErrors } from '../payments/errors';
import { paymentJson } from '../payments/payment-schema';
import { findPayment } from '../payments/payment-store';
import { refundErrors } from './errors';
import { refundPayment } from './refund-payment';
import { readAfterRefund, refundResponse } from './refund-response';
import { refundedExample, refundedSchema, refundExample, refundSchema } from './refund-schema';

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
      paymentErrors.payment_not_found,
      refundErrors.refund_refused,
      refundErrors.nothing_to_cancel,
      refundErrors.balance_differs,
      refundErrors.amount_exceeds_balance,
      refundErrors.refund_pending,
      refundErrors.refund_needs_review,
      platformErrors.service_unavailable,
    ],
    async handle(context, { params, body, log }) {
      const { svc_uid: svcUid } = params;
      const {
        amount = null,
        reason,
        checksum = null,
        refund_account: refundAccount = null,
        by = null,
      } = body;
      log({ svc_uid: svcUid, by });
      const before = isSvcUid(svcUid) ? await findPayment(context, svcUid) : null;
      if (!before) throw new HttpError(paymentErrors.payment_not_found);
      const result = await refundPayment(context, {
        ...{ svcUid, amount, reason, checksum, refundAccount },
        requestedBy: by,
      });
      log({ outcome: result.kind });
      const { outcome, row } = await readAfterRefund(context, refundResponse(result), before, () =>
        findPayment(context, svcUid),
      );
      return outcome === 'refunded'
        ? { status: 200, body: { outcome: 'cancelled', payment: paymentJson(row) } }
        : { status: 202, body: { outcome, payment: paymentJson(row) } };
    },
  }),
];
