// The routes of refunds. {reason} refunds the whole balance, {amount, checksum} a part of it. {refund_account} is for a
// deposit to a virtual account.

import { isSvcUid } from '../../payment-service/identifiers';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { platformErrors } from '../../platform/platform-errors';
import { attemptRoutes } from '../attempts/attempt-parts';
import { attemptErrors } from '../attempts/decision';
import { heldByPayment } from '../attempts/held-money';
import { chargeErrors } from '../charges/charge-response';
import { discrepancyErrors } from '../discrepancies/errors';
import { discrepancyId, discrepancyJson, readDiscrepancy } from '../discrepancies/routes';
import { findDiscrepancy } from '../discrepancies/store';
import { paymentErrors, paymentJson } from '../payments/payment-schema';
import { findPayment } from '../payments/payment-store';
import { refundAttempt } from './attempt';
import { refundDiscrepancy } from './refund-discrepancy';
import { refundPayment } from './refund-payment';
import { readAfterRefund, refundErrors, refundResponse } from './refund-response';
import {
  discrepancyRefundedExample,
  discrepancyRefundExample,
  discrepancyRefundSchema,
  refundedDiscrepancySchema,
  refundedExample,
  refundedSchema,
  refundExample,
  refundSchema,
} from './refund-schema';

export const refundRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/payments/{svc_uid}/cancel',
    scope: 'refund',
    summary: 'Refund a payment, in full or in part',
    description:
      'Refunds the whole balance, or `amount` of it with the balance in `checksum`. If the same request is sent twice, the second finds another balance and refunds nothing.',
    body: refundSchema,
    example: refundExample,
    answers: {
      200: { description: 'Cancelled.', schema: refundedSchema, example: refundedExample },
      202: { description: 'The answer was lost; its outcome is polled for.', schema: refundedSchema },
    },
    errors: [
      paymentErrors.payment_not_found,
      refundErrors.refund_limit_exceeded,
      refundErrors.refund_refused,
      refundErrors.nothing_to_cancel,
      refundErrors.balance_differs,
      refundErrors.amount_exceeds_balance,
      refundErrors.refund_pending,
      refundErrors.refund_needs_review,
      platformErrors.service_unavailable,
    ],
    async handle(context, { params, body, caller, log }) {
      const { svc_uid: svcUid } = params;
      const {
        amount = null,
        tax_free: taxFree = null,
        reason,
        checksum = null,
        refund_account: refundAccount = null,
        by = null,
      } = body;
      log({ svc_uid: svcUid, by });
      const before = isSvcUid(svcUid) ? await findPayment(context, svcUid) : null;
      if (!before) throw new HttpError(paymentErrors.payment_not_found);
      log({ merchant_uid: before.merchantUid, amount: amount ?? heldByPayment(before) });
      const result = await refundPayment(context, {
        ...{ svcUid, amount, taxFree, reason, checksum, refundAccount },
        requestedBy: by,
        limit: caller.refundLimit,
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
  ...attemptRoutes(refundAttempt),
];

/** Refunds in full a payment that did not fit. */
export const discrepancyRefundRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/refund',
    scope: 'refund',
    summary: 'Refund a payment that did not match, without storing it as paid',
    body: discrepancyRefundSchema,
    example: discrepancyRefundExample,
    answers: {
      200: {
        description: 'Refunded; the discrepancy is resolved.',
        schema: refundedDiscrepancySchema,
        example: discrepancyRefundedExample,
      },
      202: {
        description: 'The answer was lost; its outcome is polled for.',
        schema: refundedDiscrepancySchema,
      },
    },
    errors: [
      discrepancyErrors.discrepancy_not_found,
      attemptErrors.already_settled,
      refundErrors.discrepancy_not_refundable,
      refundErrors.svc_uid_unusable,
      refundErrors.payment_pays_order,
      chargeErrors.payment_not_judged,
      platformErrors.service_not_found,
      paymentErrors.payment_not_found,
      refundErrors.refund_limit_exceeded,
      refundErrors.refund_refused,
      refundErrors.nothing_to_cancel,
      refundErrors.balance_differs,
      refundErrors.amount_exceeds_balance,
      refundErrors.refund_pending,
      refundErrors.refund_needs_review,
    ],
    asksService: true,
    async handle(context, { params, body, caller, log }) {
      const id = discrepancyId(params.id);
      const { reason, by, refund_account: refundAccount = null } = body;
      log({ discrepancy_id: params.id, by });
      const before = await readDiscrepancy(context, id);
      const limit = caller.refundLimit;
      log({ svc_uid: before.svcUid, merchant_uid: before.merchantUid });
      const result = await refundDiscrepancy(context, { id, reason, by, refundAccount, limit });
      log({ outcome: result.kind });
      const { outcome, row } = await readAfterRefund(context, refundResponse(result), before, () =>
        findDiscrepancy(context, id),
      );
      return {
        status: outcome === 'refunded' ? 200 : 202,
        body: { outcome, discrepancy: discrepancyJson(row) },
      };
    },
  }),
];
