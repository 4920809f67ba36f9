// GET /api/refunds: every attempt to give money back, the newest first; POST /api/refunds/{id}/settle: a person says what
// became of one.

import type { z } from 'zod';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { keysetPage } from '../../platform/http/query';
import { DECISION_ERRORS, decisionError } from '../attempts/decision';
import { isRowId } from '../attempts/decision-schema';
import { decideRefund } from './decide-refund';
import { refundErrors } from './errors';
import { refundDecisionExample, settledRefundExample } from './refund-examples';
import {
  refundDecisionSchema,
  refundJson,
  refundListSchema,
  refundsQuery,
  storedRefundSchema,
} from './refund-list-schema';
import { findRefunds } from './refund-list-store';
import { findRefund } from './refund-store';

export const refundListRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/refunds',
    summary: 'Attempts to give money back, the newest first',
    query: refundsQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: refundListSchema,
        example: { list: [settledRefundExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listRefunds(context, query) }),
  }),
  apiRoute({
    method: 'post',
    path: '/api/refunds/{id}/settle',
    summary: 'A person says what became of a refund; the service must not contradict it',
    body: refundDecisionSchema,
    example: refundDecisionExample,
    answers: {
      200: { description: 'Settled.', schema: storedRefundSchema, example: settledRefundExample },
    },
    errors: [refundErrors.refund_not_found, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params, body, log }) {
      if (!isRowId(params.id)) throw new HttpError(refundErrors.refund_not_found);
      const id = BigInt(params.id);
      log({ refund_id: params.id });
      const outcome = await decideRefund(context, { id, ...body });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, refundErrors.refund_not_found);
      const refund = await findRefund(context, id);
      if (!refund) throw new HttpError(refundErrors.refund_not_found);
      return { body: refundJson(refund) };
    },
  }),
];

export async function listRefunds(context: Context, query: z.output<typeof refundsQuery>) {
  const { after, svc_uid: svcUid, status, needs_person: needsPerson, limit } = query;
  const filter = { after, svcUid, status, needsPerson };
  const { page, next } = keysetPage(await findRefunds(context, filter, limit + 1), limit);
  return { list: page.map(refundJson), next };
}
