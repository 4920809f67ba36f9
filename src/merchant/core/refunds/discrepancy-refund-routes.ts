// POST /api/discrepancies/{id}/refund with {reason}: the money of a payment that did not fit goes back in full; with
// {refund_account} for a deposit to a virtual account.

import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { platformErrors } from '../../platform/platform-errors';
import { isRowId } from '../attempts/attempt-schema';
import { attemptErrors } from '../attempts/decision';
import { chargeErrors } from '../charges/errors';
import { discrepancyJson } from '../payments/discrepancy-list';
import { findDiscrepancy } from '../payments/discrepancy-store';
import { paymentErrors } from '../payments/errors';
import { refundErrors } from './errors';
import { refundDiscrepancy, type DiscrepancyRefundOutcome } from './refund-discrepancy';
import { readAfterRefund, refundResponse } from './refund-response';
import {
  discrepancyRefundedExample,
  discrepancyRefundExample,
  discrepancyRefundSchema,
  refundedDiscrepancySchema,
} from './refund-schema';

export const discrepancyRefundRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/refund',
    summary: 'Give back a payment that did not fit, without taking it into the books as paid',
    body: discrepancyRefundSchema,
    example: discrepancyRefundExample,
    answers: {
      200: {
        description: 'Given back; the discrepancy is settled.',
        schema: refundedDiscrepancySchema,
        example: discrepancyRefundedExample,
      },
      202: {
        description: 'The answer was lost; its outcome is polled for.',
        schema: refundedDiscrepancySchema,
      },
    },
    errors: [
      paymentErrors.discrepancy_not_found,
      attemptErrors.already_settled,
      refundErrors.discrepancy_not_refundable,
      refundErrors.payment_pays_order,
      chargeErrors.payment_not_judged,
      platformErrors.service_not_found,
      paymentErrors.payment_not_found,
      refundErrors.refund_refused,
      refundErrors.nothing_to_cancel,
      refundErrors.balance_differs,
      refundErrors.amount_exceeds_balance,
      refundErrors.refund_pending,
      refundErrors.refund_needs_review,
    ],
    asksService: true,
    async handle(context, { params, body, log }) {
      if (!isRowId(params.id)) throw new HttpError(paymentErrors.discrepancy_not_found);
      const id = BigInt(params.id);
      const { reason, by, refund_account: refundAccount = null } = body;
      log({ discrepancy_id: params.id, by });
      const before = await findDiscrepancy(context, id);
      if (!before) throw new HttpError(paymentErrors.discrepancy_not_found);
      const result = await refundDiscrepancy(context, { id, reason, by, refundAccount });
      log({ outcome: result.kind });
      const { outcome, row } = await readAfterRefund(context, discrepancyRefundResponse(result), before, () =>
        findDiscrepancy(context, id),
      );
      return {
        status: outcome === 'refunded' ? 200 : 202,
        body: { outcome, discrepancy: discrepancyJson(row) },
      };
    },
  }),
];

/** @throws HttpError for everything that was not refunded */
export function discrepancyRefundResponse(result: DiscrepancyRefundOutcome): 'refunded' | 'unknown' {
  switch (result.kind) {
    case 'not_found':
      throw new HttpError(paymentErrors.discrepancy_not_found);
    case 'payment_unknown':
      throw new HttpError(platformErrors.service_not_found);
    case 'payment_not_judged':
      throw new HttpError(chargeErrors.payment_not_judged);
    case 'discrepancy_not_refundable':
    case 'payment_pays_order':
      throw new HttpError(refundErrors[result.kind]);
    case 'refunded':
    case 'unknown':
    case 'refused':
    case 'not_executed':
    case 'already_settled':
    case 'payment_not_found':
    case 'nothing_to_cancel':
    case 'balance_differs':
    case 'amount_exceeds_balance':
    case 'refund_account_missing':
    case 'refund_account_unused':
    case 'refund_pending':
    case 'refund_needs_review':
      return refundResponse(result);
  }
}
