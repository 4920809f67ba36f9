// POST /api/discrepancies/{id}/refund with {reason}: the money of a payment that did not fit goes back in full; with
// {refund_account} for a deposit to a virtual account.

import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { isRowId } from '../attempts/decision-schema';
import { discrepancyJson } from '../payments/discrepancy-schema';
import { findDiscrepancy } from '../payments/discrepancy-store';
import { refundDiscrepancy, type DiscrepancyRefundOutcome } from './refund-discrepancy';
import { discrepancyRefundedExample, discrepancyRefundExample } from './refund-examples';
import { readAfterRefund, refundResponse } from './refund-response';
import { discrepancyRefundSchema, refundedDiscrepancySchema } from './refund-schema';

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
      'discrepancy_not_found',
      'already_settled',
      'discrepancy_not_refundable',
      'payment_pays_order',
      'payment_not_judged',
      'service_not_found',
      'payment_not_found',
      'refund_refused',
      'nothing_to_cancel',
      'balance_differs',
      'amount_exceeds_balance',
      'refund_pending',
      'refund_needs_review',
    ],
    asksService: true,
    async handle(context, { params, body, log }) {
      if (!isRowId(params.id)) throw new HttpError('discrepancy_not_found');
      const id = BigInt(params.id);
      const { reason, by, refund_account: refundAccount = null } = body;
      log({ discrepancy_id: params.id, by });
      const before = await findDiscrepancy(context, id);
      if (!before) throw new HttpError('discrepancy_not_found');
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
      throw new HttpError('discrepancy_not_found');
    case 'payment_unknown':
      throw new HttpError('service_not_found');
    case 'discrepancy_not_refundable':
    case 'payment_pays_order':
    case 'payment_not_judged':
      throw new HttpError(result.kind);
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
