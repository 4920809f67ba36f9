// POST /api/discrepancies/{id}/resolve: a person settles a discrepancy.

import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { DECISION_ERRORS, decisionError } from '../attempts/decision';
import { isRowId } from '../attempts/decision-schema';
import { discrepancyJson, discrepancySchema, resolveSchema } from './discrepancy-schema';
import { findDiscrepancy } from './discrepancy-store';
import { paymentErrors } from './errors';
import { resolvedExample, resolveExample } from './payment-examples';
import { resolveDiscrepancy } from './resolve-discrepancy';

export const resolveRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/resolve',
    summary: 'A person settles a discrepancy; no money moves, and no order changes',
    body: resolveSchema,
    example: resolveExample,
    answers: { 200: { description: 'Settled.', schema: discrepancySchema, example: resolvedExample } },
    errors: [paymentErrors.discrepancy_not_found, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params, body, log }) {
      if (!isRowId(params.id)) throw new HttpError(paymentErrors.discrepancy_not_found);
      const id = BigInt(params.id);
      log({ discrepancy_id: params.id });
      const outcome = await resolveDiscrepancy(context, { id, ...body });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, paymentErrors.discrepancy_not_found);
      const discrepancy = await findDiscrepancy(context, id);
      if (!discrepancy) throw new HttpError(paymentErrors.discrepancy_not_found);
      return { body: discrepancyJson(discrepancy) };
    },
  }),
];
