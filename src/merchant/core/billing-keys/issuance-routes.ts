// GET /api/issuances: every attempt to issue a key, the newest first; POST /api/issuances/{id}/settle: a person says what
// became of one.

import type { z } from 'zod';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { keysetPage } from '../../platform/http/query';
import { DECISION_ERRORS, decisionError } from '../attempts/decision';
import { isRowId } from '../attempts/decision-schema';
import { issuanceDecisionExample, settledIssuanceExample } from './billing-key-examples';
import { decideIssuance } from './decide-issuance';
import { billingKeyErrors } from './errors';
import {
  issuanceDecisionSchema,
  issuanceJson,
  issuanceListSchema,
  issuanceSchema,
  issuancesQuery,
} from './issuance-schema';
import { findIssuance, findIssuances } from './issuance-store';

export const issuanceRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/issuances',
    summary: 'Attempts to issue a billing key, the newest first',
    query: issuancesQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: issuanceListSchema,
        example: { list: [settledIssuanceExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listIssuances(context, query) }),
  }),
  apiRoute({
    method: 'post',
    path: '/api/issuances/{id}/settle',
    summary:
      'A person says what became of an issuance; the billing key follows what the service shows (§4.7)',
    body: issuanceDecisionSchema,
    example: issuanceDecisionExample,
    answers: {
      200: { description: 'Settled.', schema: issuanceSchema, example: settledIssuanceExample },
    },
    errors: [billingKeyErrors.issuance_not_found, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params, body, log }) {
      if (!isRowId(params.id)) throw new HttpError(billingKeyErrors.issuance_not_found);
      const id = BigInt(params.id);
      log({ issuance_id: params.id });
      const outcome = await decideIssuance(context, { id, ...body });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, billingKeyErrors.issuance_not_found);
      const issuance = await findIssuance(context, id);
      if (!issuance) throw new HttpError(billingKeyErrors.issuance_not_found);
      return { body: issuanceJson(issuance) };
    },
  }),
];

export async function listIssuances(context: Context, query: z.output<typeof issuancesQuery>) {
  const { after, customer_uid: customerUid, status, needs_person: needsPerson, limit } = query;
  const filter = { after, customerUid, status, needsPerson };
  const { page, next } = keysetPage(await findIssuances(context, filter, limit + 1), limit);
  return { list: page.map(issuanceJson), next };
}
